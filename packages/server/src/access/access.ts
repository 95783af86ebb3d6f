import type { Logger } from "pino";
import { CallerError } from "../definition/errors.ts";
import type { Records } from "../records/records.ts";
import { memoryAllowances, type Allowance, type Allowances, type Claimant } from "./allowances.ts";
import { type Caller, mayRead, type Readable } from "./caller.ts";
import { usageCounter, type Usage } from "./count-usage.ts";
import type { OpenRedis } from "./redis/open-redis.ts";
import { redisAllowances } from "./redis/redis-limits.ts";
import { keyVerifier, type KeyVerifier } from "./verify-key.ts";

export type { Allowance, Caller, Readable, Usage };

/** Authentication and rate limits: everything an endpoint needs. */
export type Access = {
  /**
   * The caller of a bearer token; undefined alike for a malformed, unknown, expired or revoked one. Throws CallerError
   * UNAVAILABLE if the control records cannot be read.
   */
  readonly verify: (token: string) => Promise<Caller | undefined>;
  /** Takes units (default one), of which `held` were taken before, from the allowances of the account and the key. */
  readonly take: Allowances["take"];
  /** The current allowance, without taking from it. */
  readonly peek: (claimant: Claimant) => Promise<Allowance>;
  readonly mayRead: (caller: Caller, dataset: Readable) => boolean;
  /** Counts an answered request; never throws, never waits. */
  readonly count: (usage: Usage) => void;
  /** Call after changing a key, account or plan: takes effect at once, with Redis in all processes. */
  readonly forget: () => void;
  /** Writes the usage that is still in memory. */
  readonly close: () => Promise<void>;
};

export type AccessOptions = {
  readonly records: Pick<Records, "db">;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Milliseconds unaffected by setting the machine's clock, for the allowances; `clock` if absent. */
  readonly monotonicMs?: () => number;
  readonly log: Pick<Logger, "warn">;
  /** Shares allowances and change notifications between processes; absent for a single process. */
  readonly redis?: OpenRedis | undefined;
};

const FLUSH_MS = 1000;
/** The channel on which processes announce that a key, account or plan changed. */
export const FORGET = "almanac:forget";

export function openAccess({ records, clock, monotonicMs = clock, log, redis }: AccessOptions): Access {
  const keys = keyVerifier(records.db, clock);
  const memory = memoryAllowances(monotonicMs);
  const allowances = redis === undefined ? memory : redisAllowances(redis, memory);
  redis?.listen(FORGET, (what) => (what === "published" ? keys.forget() : keys.lookAgain()));
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
      redis?.publish(FORGET);
    },
    close: async () => {
      clearInterval(timer);
      await usage.flush();
    },
  };
}

/** Key verification as endpoints use it: failures become CallerError UNAVAILABLE. */
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
