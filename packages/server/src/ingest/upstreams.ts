import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { Pool } from "undici";
import type { Feed, Host, TableRows } from "../definition/connector.ts";
import type { TableDefinition } from "../definition/table.ts";
import type { RecordsSchema } from "../records/schema.ts";
import type { Budget, BudgetUse, Priority } from "./budget.ts";
import type { Clock } from "./clock.ts";
import { createPark } from "./control/park-page.ts";
import { createReread } from "./control/reread.ts";
import { createBreaker, type BreakerState, type HostBreaker } from "./feed/breaker.ts";
import { createFeed } from "./feed/feed.ts";
import { httpOrigin } from "./feed/http-origin.ts";
import type { Park } from "./feed/park.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { createLatencyWatch } from "./latency-watch.ts";
import { createRawLog, type RawLog } from "./raw/raw-log.ts";
import type { Store } from "../store/store.ts";
import { shareBudgets } from "./share-budgets.ts";
import { createSpending, type Spending, type SpendingUse } from "./spending.ts";

/** The hosts of this process: one budget, one pool of connections and one watch of latency each, shared by streams. */
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
  /** What may still be billed by the host (millionths of USD); undefined for one that has no cap. */
  readonly spendableOf: (host: Host) => (() => Promise<number>) | undefined;
  readonly use: () => Readonly<Record<string, HostUse>>;
  readonly close: () => Promise<void>;
};

/** How a host stands. `circuit` and `spending` are those of hosts that have a breaker or a cap. */
export type HostUse = {
  readonly waiting: number;
  readonly routes: BudgetUse;
  readonly circuit?: BreakerState;
  readonly spending?: SpendingUse;
};

/** What streams share of a host. */
type Reach = {
  readonly pool: Pool;
  readonly isSlow: ReturnType<typeof createLatencyWatch>;
  readonly breaker: HostBreaker | undefined;
};

const CONNECTIONS = 16;

export function openUpstreams(options: {
  /** Setting name → value; a host's setting holds its address. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: IngestMetrics;
  /** Bodies of parked pages that are kept. */
  readonly parkedBytes?: number;
  /** Where raw payloads are kept, and for how long; absent or 0 keeps none. */
  readonly store?: Store;
  readonly rawPayloads?: { readonly table: TableDefinition; readonly hours: number } | undefined;
  /** Now on the venues' clock (Unix ms), which gaps are on; the machine's when absent. */
  readonly venueNow?: () => number;
  /** What this process is for: where several call a host, one for backfills gets the smaller part. Default live. */
  readonly role?: Priority;
}): Upstreams {
  const { settings, db, clock, log, metrics, role = "live" } = options;
  const sharing = shareBudgets({ role, db, clock, log });
  const reaches = new Map<string, Reach>();
  const spendings = new Map<string, Spending>();
  const park = createPark(db, clock, options);
  const { store, rawPayloads } = options;
  const raw = store && rawPayloads && createRawLog({ ...options, ...rawPayloads, store });

  const addressOf = (host: Host): string => {
    const address = settings[host.setting];
    if (!address) throw new TypeError(`${host.setting} is not set: ${host.name} cannot be reached`);
    return address;
  };
  const reachOf = (host: Host): Reach => {
    const known = reaches.get(host.name);
    if (known !== undefined) return known;
    const pool = new Pool(httpOrigin(addressOf(host)), { connections: CONNECTIONS });
    const breaker = createBreaker(host, (circuit) =>
      log.warn({ host: host.name, circuit }, "a circuit breaker turned"),
    );
    const reach = { pool, breaker, isSlow: createLatencyWatch() };
    reaches.set(host.name, reach);
    return reach;
  };
  const spendingOf = (host: Host): Spending | undefined => {
    if (host.dailyCap === undefined) return undefined;
    const known = spendings.get(host.name) ?? createSpending(host, settings[host.dailyCap] || "0", db, clock);
    spendings.set(host.name, known);
    return known;
  };
  return {
    spendableOf: (host) => spendingOf(host)?.spendable,
    addressOf,
    budgetOf: sharing.budgetOf,
    park,
    raw,
    reread: createReread(db, clock, log),
    feedOf: (host, stream, priority, signal, range) => {
      const baseUrl = addressOf(host);
      const { pool, isSlow, breaker } = reachOf(host);
      const budget = sharing.budgetOf(host);
      const token = host.bearer === undefined ? undefined : settings[host.bearer];
      const headers = token ? { headers: { authorization: `Bearer ${token}` } } : {};
      const shared = {
        host,
        baseUrl,
        budget,
        dispatcher: pool,
        isSlow,
        breaker,
        spending: spendingOf(host),
        ...headers,
      };
      const over = range === undefined ? {} : { range };
      const { venueNow } = options;
      return createFeed({ ...shared, ...over, raw, stream, priority, log, park, clock, venueNow, signal, metrics });
    },
    use: () =>
      Object.fromEntries(
        [...sharing.budgets].map(([name, budget]): [string, HostUse] => {
          const circuit = reaches.get(name)?.breaker?.state();
          const spending = spendings.get(name)?.use();
          const more = { ...(circuit && { circuit }), ...(spending && { spending }) };
          return [name, { waiting: budget.waiting(), routes: budget.use(), ...more }];
        }),
      ),
    close: async () => {
      await sharing.end();
      await raw?.close();
      await Promise.all([...reaches.values()].map(({ pool }) => pool.destroy()));
    },
  };
}
