import type { Day } from "../../definition/fold.ts";
import { countRanges, earliest, findMade, findTouched, findValues } from "./fold-reads.ts";
import { workTouched, type Between, type Done, type FoldEngine } from "./fold-work.ts";
import { keyLength, keyRanges } from "./key-sql.ts";
import { findMadeThrough } from "../control/derivation-record.ts";
import { findUndoneSince } from "../control/undo-record.ts";
import type { DeriverOptions } from "../derive.ts";
import { isMade } from "../timestamps.ts";

export type FoldProgress = { readonly share: number; readonly keys: number; readonly rows: number };

/** Number of key ranges done, in order, out of all. */
export type RangesDone = { readonly done: number; readonly of: number };

/**
 * Folds every key with rows stored since a time (Unix ms); with 0 all keys, including those with only derived rows
 * left. Keys are processed range by range, so memory does not grow with their number. Throws StoreError, or the
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
    /** Ranges done by an interrupted run: it resumes after them. */
    readonly after?: RangesDone | undefined;
    readonly onRange?: (ranges: RangesDone) => Promise<void>;
  },
): Promise<Done> {
  const { fold, read } = engine;
  read.memory.clear();
  const { done: before, of } = run.after ?? { done: 0, of: await countRanges(fold, read, run.sinceMs) };
  const total = { keys: 0, rows: 0 };
  await run.onRange?.({ done: before, of });
  for (const [index, range] of [...keyRanges(of, keyLength(fold))].entries()) {
    if (index < before) continue;
    run.signal.throwIfAborted();
    const touched = new Map(await findTouched(fold, read, range, run.sinceMs));
    if (run.sinceMs === 0) earliest(await findMade(fold, read, range), touched);
    const done = await workTouched(engine, touched, run.closed, run.signal, run.between);
    total.keys += done.keys;
    total.rows += done.rows;
    await run.onRange?.({ done: index + 1, of });
    run.onProgress?.({ share: (index + 1) / of, ...total });
  }
  return total;
}

/** Folds every key with rows stored or removed since a time (Unix ms; 0: all keys). */
export async function foldSince(
  engine: FoldEngine,
  { db, log }: Pick<DeriverOptions, "db" | "log">,
  run: {
    readonly sinceMs: number;
    readonly closed: Day;
    readonly signal: AbortSignal;
    readonly between?: Between | undefined;
  },
): Promise<Done> {
  const { fold, read } = engine;
  const { sinceMs, closed, signal, between } = run;
  const done = await foldAll(engine, run);
  if (done.keys > 0)
    log.info({ derivation: fold.name, ...done, since: new Date(sinceMs) }, "derived rows stored earlier");
  // Everything was folded.
  if (sinceMs === 0) return done;
  read.memory.clear();
  const madeSinceMs = Math.max(sinceMs, await findMadeThrough(db, fold.name));
  for (const source of fold.from) {
    if (source.find === undefined) continue;
    const fromMs = isMade(source.table) ? madeSinceMs : sinceMs;
    const values = await findValues(source, read, fromMs);
    const past = [...values].filter(([, day]) => !source.isOfClosedDays || day <= closed);
    if (past.length === 0) continue;
    await workTouched(engine, await source.find(read, new Map(past), fromMs), closed, signal, between);
  }
  for (const { from, to } of await findUndoneSince(db, new Date(sinceMs))) {
    const keys = await fold.findUndone(read, { from: from.getTime(), to: to.getTime() });
    await workTouched(engine, keys, closed, signal, between);
  }
  return done;
}
