import type { Logger } from "pino";
import { CallerError } from "../definition/errors.ts";
import type { Records } from "../records/records.ts";
import { memoryAllowances, type Allowance, type Allowances, type Claimant } from "./allowances.ts";
import { type Caller, mayRead, type Readable } from "./caller.ts";
import { usageCounter, type Usage } from "./count-usage.ts";
import type { OpenRedis } from "./redis/open-redis.ts";
import { redisAllowances } from "./redis/redis-allowances.ts";
import { keyVerifier, type KeyVerifier } from "./verify-key.ts";

export type { Allowance, Caller, Readable, Usage };

/** Who may ask, and how much: all that a door needs. */
export type Access = {
  /**
   * The caller a bearer token stands for; undefined alike for a malformed, unknown, expired or revoked one.
   * Throws CallerError UNAVAILABLE when the control records cannot be read.
   */
  readonly verify: (token: string) => Promise<Caller | undefined>;
  /** Takes so many units, one when absent, of which `held` were taken before, from what the account and the key may ask. */
  readonly take: Allowances["take"];
  /** What the allowance holds now, without taking from it. */
  readonly peek: (claimant: Claimant) => Promise<Allowance>;
  readonly mayRead: (caller: Caller, dataset: Readable) => boolean;
  /** Notes an answered request; never throws, never waits. */
  readonly count: (usage: Usage) => void;
  /** After a key, account or plan was changed in this process: the change holds at once, with Redis in all of them. */
  readonly forget: () => void;
  /** Writes the usage that is still in memory. */
  readonly close: () => Promise<void>;
};

export type AccessOptions = {
  readonly records: Pick<Records, "db">;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Pick<Logger, "warn">;
  /** Where several processes share allowances and tell each other of changes; absent for one process alone. */
  readonly redis?: OpenRedis | undefined;
};

const FLUSH_MS = 1000;
const FORGET = "almanac:forget";

export function openAccess({ records, clock, log, redis }: AccessOptions): Access {
  const keys = keyVerifier(records.db, clock);
  const memory = memoryAllowances(clock);
  const allowances = redis === undefined ? memory : redisAllowances(redis, memory);
  redis?.listen(FORGET, (what) => (what === "told" ? keys.forget() : keys.lookAgain()));
  const usage = usageCounter(records.db, clock, log);
  const timer = setInterval(() => void usage.flush(), FLUSH_MS);
  timer.unref();
  return {
    verify: openKeys(keys).verify,
    take: allowances.take,
    peek: allowances.peek,
    mayRead,
    count: usage.count,
    forget: () => {
      keys.forget();
      redis?.tell(FORGET);
    },
    close: async () => {
      clearInterval(timer);
      await usage.flush();
    },
  };
}

/** Keys as a door asks for them. */
export function openKeys(keys: KeyVerifier): Pick<Access, "verify" | "forget"> {
  return {
    verify: async (token) => {
      try {
        return await keys.verify(token);
      } catch (cause) {
        if (cause instanceof CallerError) throw cause;
        throw new CallerError("UNAVAILABLE", "Keys cannot be checked now; try again in a second.", {
          retryAfterSeconds: 1,
          cause,
        });
      }
    },
    forget: keys.forget,
  };
}
