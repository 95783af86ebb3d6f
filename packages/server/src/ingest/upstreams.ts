import type { Feed, Host, TableRows } from "../definition/connector.ts";
import type { TableDefinition } from "../definition/table.ts";
import { createBudget, type Budget, type BudgetUse, type Priority, grantedHost } from "./budget.ts";
import { createPark } from "./control/park-page.ts";
import { createReread } from "./control/reread.ts";
import { createFeed } from "./feed/feed.ts";
import type { DeriverOptions } from "./derive.ts";
import type { Park } from "./feed/accept.ts";
import { createRawLog, type RawLog } from "./raw/raw-log.ts";
import type { Store } from "../store/store.ts";
import type { Dispatcher } from "undici";
import { createBreaker, type BreakerState, type HostBreaker, createLatencyWatch } from "./feed/host-health.ts";
import { openPool } from "./feed/send.ts";
import { createSpending, type Spending, type SpendingUse } from "./spending.ts";

/** A host's resources shared by streams, created at the first call. */
type HostReach = {
  readonly baseUrl: string;
  readonly dispatcher: Dispatcher;
  readonly isSlow: ReturnType<typeof createLatencyWatch>;
  readonly breaker: HostBreaker | undefined;
  readonly spending: Spending | undefined;
  /** Sent with every call in addition to the host's own headers. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Set for hosts that have a breaker or a cap. */
type HostStanding = { readonly circuit?: BreakerState; readonly spending?: SpendingUse };

type HostReaches = {
  readonly addressOf: (host: Host) => string;
  readonly reachOf: (host: Host) => HostReach;
  readonly standingOf: (name: string) => HostStanding;
  readonly close: () => Promise<void>;
};

function createHostReaches({ settings, db, clock, log }: Options): HostReaches {
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
      dispatcher: openPool(baseUrl),
      isSlow: createLatencyWatch(),
      breaker: createBreaker(host, (circuit) => log.warn({ host: name, circuit }, "a circuit breaker changed state")),
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

/** The hosts of this process: each has one budget, connection pool and latency watch, shared by streams. */
export type Upstreams = {
  readonly feedOf: (
    host: Host,
    stream: string,
    priority: Priority,
    signal: AbortSignal,
    range?: { readonly from: string; readonly to: string },
  ) => Feed;
  readonly budgetOf: (host: Host) => Budget;
  readonly addressOf: (host: Host) => string;
  readonly park: Park;
  readonly raw: RawLog | undefined;
  /** Settles parked pages whose rows were read later. */
  readonly reread: (stream: string, rows: TableRows) => Promise<void>;
  /** Amount the host may still bill (millionths of USD); undefined for one without a cap. */
  readonly spendableOf: (host: Host) => (() => Promise<number>) | undefined;
  readonly use: () => Readonly<Record<string, HostUse>>;
  readonly close: () => Promise<void>;
};

/** Current use of a host. */
export type HostUse = HostStanding & { readonly waiting: number; readonly routes: BudgetUse };

type Options = Pick<DeriverOptions, "db" | "clock" | "log" | "metrics"> & {
  /** Setting name → value; a host's setting contains its address. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** Bytes of parked pages' bodies to keep. */
  readonly parkedBytes?: number;
  /** Where raw payloads are stored, and for how long; absent or 0 keeps none. */
  readonly store?: Store;
  readonly rawPayloads?: { readonly table: TableDefinition; readonly hours: number } | undefined;
  /** Current venue time (Unix ms), which gaps use; the machine's when absent. */
  readonly venueNow?: () => number;
  /** Share of every limit for this process, if another one ingests; all when absent. */
  readonly part?: number;
};

export function openUpstreams(options: Options): Upstreams {
  const { db, clock, log, metrics, part = 1 } = options;
  const budgets = new Map<string, Budget>();
  const budgetOf = (host: Host): Budget => {
    const ours = (): Host => ({ ...grantedHost(host, options.settings), share: host.share * part });
    const budget = budgets.get(host.name) ?? createBudget(ours(), clock);
    budgets.set(host.name, budget);
    return budget;
  };
  const reaches = createHostReaches(options);
  const { store, rawPayloads } = options;
  const raw = store && rawPayloads && createRawLog({ ...options, ...rawPayloads, store });
  const park = createPark(db, clock, options);
  return {
    spendableOf: (host) => reaches.reachOf(host).spending?.spendable,
    addressOf: reaches.addressOf,
    budgetOf,
    park,
    raw,
    reread: createReread(db, clock, log),
    feedOf: (host, stream, priority, signal, range) => {
      const shared = { host, budget: budgetOf(host), ...reaches.reachOf(host) };
      const over = range === undefined ? {} : { range };
      const { venueNow } = options;
      return createFeed({ ...shared, ...over, raw, stream, priority, log, park, clock, venueNow, signal, metrics });
    },
    use: () =>
      Object.fromEntries(
        [...budgets].map(([name, budget]): [string, HostUse] => [
          name,
          { waiting: budget.waiting(), routes: budget.use(), ...reaches.standingOf(name) },
        ]),
      ),
    close: async () => {
      await raw?.close();
      await reaches.close();
    },
  };
}
