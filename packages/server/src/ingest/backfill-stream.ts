import type { Registry } from "prom-client";
import type { PullConnector } from "../definition/connector.ts";
import type { Derivation } from "../definition/derivation.ts";
import type { Fold } from "../definition/fold.ts";
import type { Records } from "../records/records.ts";
import { runBackfill, type BackfillRun } from "./backfill.ts";
import { createDeriver, type Deriver, type DeriverOptions } from "./derive.ts";
import { createIngestMetrics } from "./ingest-metrics.ts";
import { openUpstreams, type Upstreams } from "./upstreams.ts";
import { createKnown, type KnownLimits } from "./known.ts";
import { createStoredFills } from "./stored-fills.ts";
import { createWrite } from "./write.ts";

export type BackfillStreamOptions = Omit<PastEngine, "db" | "upstreams" | "deriver" | "metrics" | "known"> &
  Omit<PastWalk, "gaps" | "attempts"> & {
    readonly derivations: readonly Derivation[];
    /** Left to the ingesting process. */
    readonly folds?: readonly Fold[];
    readonly records: Pick<Records, "db">;
    readonly settings: Readonly<Record<string, string | undefined>>;
    readonly metrics: Registry;
  };

/** `almanac backfill`: opens everything one backfill of one stream and range needs, and runs it. See `runBackfill`. */
export async function backfillStream(
  options: BackfillStreamOptions,
): Promise<{ readonly isFinished: boolean; readonly rows: number }> {
  const { db } = options.records;
  const metrics = createIngestMetrics(options.metrics);
  const upstreams = openUpstreams({ ...options, db, metrics });
  const deriver = createDeriver({ ...options, db, metrics, handsFoldsOver: true });
  try {
    return await walkPast({ ...options, db, metrics, upstreams, deriver }, options);
  } finally {
    await upstreams.close();
  }
}

/** Dependencies of a backfill that the surrounding process provides. */
export type PastEngine = Pick<DeriverOptions, "store" | "db" | "metrics" | "clock" | "log" | "venueNow"> & {
  readonly upstreams: Upstreams;
  readonly deriver: Pick<Deriver, "begin" | "leaving" | "flush" | "flushLeft">;
  /** Waits until this process may write; throws once it no longer may. */
  readonly sure?: (() => Promise<void>) | undefined;
  readonly known?: Partial<KnownLimits>;
};

export type PastWalk = Pick<BackfillRun, "range" | "signal"> &
  Partial<Pick<BackfillRun, "gaps" | "attempts" | "onProgress">> & { readonly connector: PullConnector };

/** Backfills a stream within the process's rate budgets, at lower priority than live streams. See `runBackfill`. */
export function walkPast(engine: PastEngine, walk: PastWalk): ReturnType<typeof runBackfill> {
  const { db, clock, log, metrics, upstreams, store, deriver, sure, venueNow = clock.now } = engine;
  const { connector, signal } = walk;
  const feedOf = (host: PullConnector["host"]) =>
    upstreams.feedOf(host, connector.name, "backfill", signal, walk.range);
  return runBackfill({
    ...walk,
    deriver,
    db,
    clock,
    log,
    metrics,
    feed: feedOf(connector.host),
    also: Object.fromEntries((connector.also ?? []).map((host) => [host.name, feedOf(host)])),
    write: createWrite({ store, deriver, metrics, sure, announceKnown: true, reread: upstreams.reread }),
    known: createKnown(store, venueNow, engine.known),
    storedFills: createStoredFills(store, db),
    venueNow,
  });
}
