import type { Logger } from "pino";
import type { Kysely } from "kysely";
import type { PullConnector } from "../definition/connector.ts";
import type { RecordsSchema } from "../records/schema.ts";
import type { Store } from "../store/store.ts";
import { runBackfill, type BackfillRun } from "./backfill.ts";
import type { Clock } from "./clock.ts";
import type { Deriver } from "./derive.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { createKnown, type KnownLimits } from "./known.ts";
import type { Upstreams } from "./upstreams.ts";
import { createWrite } from "./write.ts";

/** What a walk of the past needs of the process it runs in. */
export type PastEngine = {
  readonly store: Store;
  readonly db: Kysely<RecordsSchema>;
  readonly upstreams: Upstreams;
  readonly deriver: Pick<Deriver, "begin" | "leaving" | "flush">;
  /** Waits until this process may write; throws where it may no longer. */
  readonly sure?: (() => Promise<void>) | undefined;
  readonly metrics: IngestMetrics;
  readonly clock: Clock;
  readonly log: Logger;
  readonly known?: Partial<KnownLimits>;
  readonly venueNow?: () => number;
};

export type PastWalk = Pick<BackfillRun, "range" | "signal"> &
  Partial<Pick<BackfillRun, "gaps" | "attempts" | "onProgress">> & { readonly connector: PullConnector };

/** Walks a stream's past with the process's budgets, behind its live streams. See `runBackfill`. */
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
    venueNow,
  });
}
