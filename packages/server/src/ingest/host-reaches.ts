import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { Pool } from "undici";
import type { Host } from "../definition/connector.ts";
import type { RecordsSchema } from "../records/schema.ts";
import type { Clock } from "./clock.ts";
import { createBreaker, type BreakerState, type HostBreaker } from "./feed/breaker.ts";
import { httpOrigin } from "./feed/http-origin.ts";
import { createLatencyWatch } from "./latency-watch.ts";
import { createSpending, type Spending, type SpendingUse } from "./spending.ts";

/** What streams share of a host: it is made at the first call. */
export type HostReach = {
  readonly baseUrl: string;
  readonly dispatcher: Pool;
  readonly isSlow: ReturnType<typeof createLatencyWatch>;
  readonly breaker: HostBreaker | undefined;
  readonly spending: Spending | undefined;
  /** Sent with every call beside the host's own. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Of the hosts that have a breaker or a cap. */
export type HostStanding = { readonly circuit?: BreakerState; readonly spending?: SpendingUse };

export type HostReaches = {
  readonly addressOf: (host: Host) => string;
  readonly reachOf: (host: Host) => HostReach;
  readonly standingOf: (name: string) => HostStanding;
  readonly close: () => Promise<void>;
};

const CONNECTIONS = 16;

export function createHostReaches(options: {
  /** Setting name → value. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  readonly log: Logger;
}): HostReaches {
  const { settings, db, clock, log } = options;
  const reaches = new Map<string, HostReach>();
  const addressOf = (host: Host): string => {
    const address = settings[host.setting];
    if (!address) throw new TypeError(`${host.setting} is not set: ${host.name} cannot be reached`);
    return address;
  };
  const make = (host: Host): HostReach => {
    const { name, bearer, dailyCap } = host;
    const baseUrl = addressOf(host);
    const token = bearer === undefined ? undefined : settings[bearer];
    return {
      baseUrl,
      dispatcher: new Pool(httpOrigin(baseUrl), { connections: CONNECTIONS }),
      isSlow: createLatencyWatch(),
      breaker: createBreaker(host, (circuit) => log.warn({ host: name, circuit }, "a circuit breaker turned")),
      spending: dailyCap === undefined ? undefined : createSpending(host, settings[dailyCap] || "0", db, clock),
      headers: token ? { authorization: `Bearer ${token}` } : {},
    };
  };
  return {
    addressOf,
    reachOf: (host) => {
      const reach = reaches.get(host.name) ?? make(host);
      reaches.set(host.name, reach);
      return reach;
    },
    standingOf: (name) => {
      const reach = reaches.get(name);
      const [circuit, spending] = [reach?.breaker?.state(), reach?.spending?.use()];
      return { ...(circuit && { circuit }), ...(spending && { spending }) };
    },
    close: async () => {
      await Promise.all([...reaches.values()].map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}
