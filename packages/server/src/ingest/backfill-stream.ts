import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { PullConnector } from "../definition/connector.ts";
import type { Derivation } from "../definition/derivation.ts";
import type { Fold } from "../definition/fold.ts";
import type { Records } from "../records/records.ts";
import type { Store } from "../store/store.ts";
import type { BackfillProgress } from "./backfill.ts";
import type { Clock } from "./clock.ts";
import { createDeriver } from "./derive.ts";
import { createIngestMetrics } from "./ingest-metrics.ts";
import { openUpstreams } from "./upstreams.ts";
import { walkPast } from "./walk-past.ts";

export type BackfillStreamOptions = {
  readonly connector: PullConnector;
  /** ISO, half-open. */
  readonly range: { readonly from: string; readonly to: string };
  readonly derivations: readonly Derivation[];
  /** Left to the process that gathers. */
  readonly folds?: readonly Fold[];
  readonly store: Store;
  /** Waits until this process may write; throws where it may no longer. */
  readonly sure?: (() => Promise<void>) | undefined;
  readonly records: Pick<Records, "db">;
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly clock: Clock;
  /** Ctrl-C: it ends after the batch under way, its place saved. */
  readonly signal: AbortSignal;
  /** Now by the venue's clock (Unix ms), where a paper exchange runs at another speed; the machine's when absent. */
  readonly venueNow?: () => number;
  readonly onProgress?: (progress: BackfillProgress) => void;
};

/** `almanac backfill`: one stream over one range, with everything it needs, from start to end. See `runBackfill`. */
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
