import type { Day } from "../../definition/fold.ts";
import { earliest, findMade, findTouched, rangesSince } from "./find-touched.ts";
import { workTouched, type Between, type Done, type FoldEngine } from "./fold-work.ts";

export type FoldProgress = { readonly share: number; readonly keys: number; readonly rows: number };

/**
 * Works every key out that rows were stored of since a moment (Unix ms); with 0 all there are, those too of which only
 * worked-out rows are left. Keys go range by range, so memory does not grow with their number. Throws StoreError, or the
 * signal's reason between two slices.
 */
export async function foldAll(
  engine: FoldEngine,
  run: {
    readonly sinceMs: number;
    readonly closed: Day;
    readonly signal: AbortSignal;
    readonly between?: Between | undefined;
    readonly onProgress?: (progress: FoldProgress) => void;
  },
): Promise<Done> {
  const { fold, read } = engine;
  read.memory.clear();
  const ranges = await rangesSince(fold, read, run.sinceMs);
  const total = { keys: 0, rows: 0 };
  for (const [index, range] of ranges.entries()) {
    run.signal.throwIfAborted();
    const touched = new Map(await findTouched(fold, read, range, run.sinceMs));
    if (run.sinceMs === 0) earliest(await findMade(fold, read, range), touched);
    const done = await workTouched(engine, touched, run.closed, run.signal, run.between);
    total.keys += done.keys;
    total.rows += done.rows;
    run.onProgress?.({ share: (index + 1) / ranges.length, ...total });
  }
  return total;
}
