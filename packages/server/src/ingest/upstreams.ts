import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { Pool } from "undici";
import type { Feed, Host, TableRows } from "../definition/connector.ts";
import type { TableDefinition } from "../definition/table.ts";
import type { RecordsSchema } from "../records/schema.ts";
import { type Budget, type BudgetUse, type Priority } from "./budget.ts";
import type { Clock } from "./clock.ts";
import { createPark } from "./control/park-page.ts";
import { createReread } from "./control/reread.ts";
import { createFeed } from "./feed/feed.ts";
import type { Park } from "./feed/park.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { createLatencyWatch } from "./latency-watch.ts";
import { createRawLog, type RawLog } from "./raw/raw-log.ts";
import type { Store } from "../store/store.ts";
import { shareBudgets } from "./share-budgets.ts";

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
  readonly use: () => Readonly<Record<string, { readonly waiting: number; readonly routes: BudgetUse }>>;
  readonly close: () => Promise<void>;
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
  const pools = new Map<string, { pool: Pool; isSlow: ReturnType<typeof createLatencyWatch> }>();
  const park = createPark(db, clock, options);
  const { store, rawPayloads } = options;
  const raw = store && rawPayloads && createRawLog({ ...options, ...rawPayloads, store });

  const addressOf = (host: Host): string => {
    const address = settings[host.setting];
    if (!address) throw new TypeError(`${host.setting} is not set: ${host.name} cannot be reached`);
    return address;
  };
  return {
    addressOf,
    budgetOf: sharing.budgetOf,
    park,
    raw,
    reread: createReread(db, clock, log),
    feedOf: (host, stream, priority, signal, range) => {
      const baseUrl = addressOf(host);
      const reach = pools.get(host.name) ?? {
        pool: new Pool(new URL(baseUrl).origin, { connections: CONNECTIONS }),
        isSlow: createLatencyWatch(),
      };
      pools.set(host.name, reach);
      const budget = sharing.budgetOf(host);
      const shared = { host, baseUrl, budget, dispatcher: reach.pool, isSlow: reach.isSlow };
      const over = range === undefined ? {} : { range };
      return createFeed({ ...shared, ...over, raw, stream, priority, log, park, clock, signal, metrics });
    },
    use: () =>
      Object.fromEntries(
        [...sharing.budgets].map(([name, budget]) => [name, { waiting: budget.waiting(), routes: budget.use() }]),
      ),
    close: async () => {
      await sharing.end();
      await raw?.close();
      await Promise.all([...pools.values()].map(({ pool }) => pool.destroy()));
    },
  };
}
