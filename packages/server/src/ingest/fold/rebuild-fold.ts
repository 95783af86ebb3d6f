import type { Day, Fold, FoldReader } from "../../definition/fold.ts";
import {
  findClosed,
  findDerivedThrough,
  findUnfinished,
  saveClosed,
  saveDerivedThrough,
  saveUnfinished,
} from "../control/derivation-record.ts";
import type { DeriverOptions } from "../derive.ts";
import type { CheckpointFolder } from "./checkpoints.ts";
import { foldAll, type FoldProgress, type RangesDone, foldSince } from "./fold-all.ts";
import { foldReader } from "./fold-reads.ts";
import type { Done } from "./fold-work.ts";
import { createFoldDays } from "./fold-days.ts";
import { STAMP_MARGIN_MS } from "../timestamps.ts";
import { name, sql } from "../../definition/sql.ts";

export type RebuildFold = Pick<DeriverOptions, "store" | "db" | "clock" | "log"> & {
  readonly checkpoints: CheckpointFolder;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: FoldProgress) => void;
};

/**
 * Folds outside the service: everything, or what was stored since the last run; an interrupted full run resumes after
 * its last completed range of keys. Days are closed up to yesterday, or up to the last one with rows if earlier. A
 * rerun changes nothing. Throws StoreError, or the signal's reason between two slices.
 */
export async function rebuildFold(fold: Fold, isWhole: boolean, options: RebuildFold): Promise<Done> {
  const { store, db, clock, signal, onProgress } = options;
  const checkpoints = options.checkpoints.of(fold);
  const engine = { fold, store, read: foldReader(store), checkpoints };
  const cutOff = isWhole ? undefined : await findUnfinished(db, fold.name);
  const began = cutOff?.began ?? new Date(clock.now() - STAMP_MARGIN_MS).toISOString();
  const through = isWhole || cutOff ? undefined : await findDerivedThrough(db, fold.name);
  const known = cutOff ? cutOff.ranges?.closed : through && (await findClosed(db, fold.name));
  const closed = known ?? (await lastDay(fold, options));
  const left = through ?? (cutOff?.ranges && new Date(began));
  if (left !== undefined) checkpoints.keepIfLeftAt(left);
  else {
    checkpoints.beginWhole();
    checkpoints.leaveAt(new Date(began));
  }
  const run = { closed, signal, ...(onProgress ? { onProgress } : {}) };
  const onRange = ({ done, of }: RangesDone): Promise<void> =>
    saveUnfinished(db, fold.name, { began, ranges: { closed, done, of } }, new Date(clock.now()));
  const done =
    through === undefined
      ? await foldAll(engine, { ...run, sinceMs: 0, after: cutOff?.ranges, onRange })
      : await foldSince(engine, options, { ...run, sinceMs: through.getTime() });
  await saveClosed(db, fold.name, closed, new Date(clock.now()));
  checkpoints.leaveAt(new Date(began));
  await saveDerivedThrough(db, fold.name, new Date(began), new Date(clock.now()));
  return done;
}

async function lastDay(fold: Fold, { store, clock }: RebuildFold): Promise<Day> {
  const over = createFoldDays(clock.now).over();
  const newest = await findTimestamp(fold, foldReader(store));
  return newest !== undefined && newest < over ? newest : over;
}

/** The last day with a row in a fold's sources; undefined if there is none. */
async function findTimestamp(fold: Fold, read: FoldReader): Promise<Day | undefined> {
  const days: Day[] = [];
  for (const { table, timestamp, find } of fold.from) {
    if (find) continue;
    const [row] = await read.rows<{ day: string; n: string }>(
      sql`SELECT toString(toDate(max(${name(timestamp)}), 'UTC')) AS day, toString(count()) AS n FROM ${table}`,
    );
    if (row && row.n !== "0") days.push(row.day);
  }
  return days.toSorted().at(-1);
}
