import type { Day, Fold, FoldReader, KeyRange } from "../../definition/fold.ts";
import { bind, name, sql } from "../../definition/sql.ts";
import { storedSince } from "../timestamps.ts";
import { FIRST_DAY } from "./checkpoints.ts";
import { earliest, findMade, findTouched, findValues } from "./fold-reads.ts";
import { workTouched, type FoldEngine } from "./fold-work.ts";
import { inRange, keyLength, sortedByKey, textOf } from "./key-sql.ts";

/** Rows stored within the last minutes may still be queued, or have been folded meanwhile. */
const RECENT_MS = 600_000;

export type Audit = {
  /** Number of keys folded from scratch. */
  readonly keys: number;
  /** Keys whose rows of past days differed from the ledger; they are corrected by now. */
  readonly different: readonly string[];
  /** Number of further differing keys with recently stored rows, which may be the reason. */
  readonly recent: number;
};

/**
 * Folds the keys of a range from their first row, ignoring checkpoints, and stores rows that differ from the stored
 * ones. Keys with recently stored rows may differ for that reason. `nowMs` is this machine's time, by which rows are
 * stamped. Throws StoreError, or the signal's reason between two slices.
 */
export async function auditRange(
  engine: FoldEngine,
  range: KeyRange,
  { closed, nowMs, signal }: { readonly closed: Day; readonly nowMs: number; readonly signal: AbortSignal },
): Promise<Audit> {
  const { fold, read } = engine;
  read.memory.clear();
  const found = earliest(await findMade(fold, read, range), new Map(await findTouched(fold, read, range, 0)));
  const keys = new Map(Array.from(found.keys(), (key) => [key, FIRST_DAY]));
  const done = await workTouched(engine, keys, closed, signal);
  if (done.rows === 0) return { keys: keys.size, different: [], recent: 0 };
  const stored = await findStored(fold, read, range, { sinceMs: nowMs, closed });
  const recent = stored.length === 0 ? new Set<string>() : await findRecent(fold, read, range, nowMs - RECENT_MS);
  const different = stored.filter((key) => !recent.has(key));
  return { keys: keys.size, different, recent: stored.length - different.length };
}

/** Keys with rows of days up to `closed` written since a time. */
async function findStored(
  fold: Fold,
  read: FoldReader,
  range: KeyRange,
  { sinceMs, closed }: { readonly sinceMs: number; readonly closed: Day },
): Promise<string[]> {
  const found = new Set<string>();
  for (const table of fold.into) {
    const rows = await read.rows<{ value: string }>(
      sql`SELECT DISTINCT ${textOf(table, fold.key)} AS value FROM ${sortedByKey(fold, table)} WHERE ${inRange(fold.key, range, keyLength(fold))} AND ${name(fold.day)} <= toDate(${bind("String", closed)}) AND ${storedSince(table, sinceMs)}`,
    );
    for (const { value } of rows) found.add(value);
  }
  return [...found];
}

/** Keys with rows, or rows leading to them, stored since a time. */
async function findRecent(fold: Fold, read: FoldReader, range: KeyRange, sinceMs: number): Promise<Set<string>> {
  const keys = new Set((await findTouched(fold, read, range, sinceMs)).keys());
  for (const source of fold.from) {
    if (source.find === undefined) continue;
    const values = await findValues(source, read, sinceMs);
    for (const key of (await source.find(read, values, sinceMs)).keys()) keys.add(key);
  }
  return keys;
}
