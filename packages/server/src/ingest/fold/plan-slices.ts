import { dayAfter } from "../../definition/day-of.ts";
import type { Day, Fold, FoldReader, FoldSlice, Touched } from "../../definition/fold.ts";
import { bind, fromDefinition, name, sql } from "../../definition/sql.ts";
import { slicesOf } from "../../definition/slices.ts";
import { isOneOf } from "../../definition/filter.ts";
import type { FoldEngine } from "./fold-work.ts";
import { keyLength, textOf } from "./key-sql.ts";

export type SliceLimits = {
  /** Keys per slice, and per row count query. */
  readonly keys: number;
  /** Rows per slice, unless one key has more on one day. */
  readonly rows: number;
};
export const SLICE: SliceLimits = { keys: 2000, rows: 300_000 };

type Slice = Omit<FoldSlice, "closed">;
type Planned = Slice & { readonly isStretch: boolean };

/**
 * Groups touched keys into slices of bounded size, each with the same first day: an earlier checkpoint may have been
 * replaced by a later one. A key with more rows than a slice may have is folded in consecutive stretches of days.
 */
export async function* planSlices(
  { fold, read, checkpoints }: Pick<FoldEngine, "fold" | "read" | "checkpoints">,
  touched: Touched,
  closed: Day,
  limits: SliceLimits = SLICE,
): AsyncGenerator<Planned> {
  for (const { from, some } of chunksOf(touched, limits.keys)) {
    // For a day in progress the last known count is enough: counting would cost more than folding.
    const counts =
      from > closed
        ? new Map(some.map((key) => [key, checkpoints.eventsFrom(key, from) ?? 0]))
        : await countRows(fold, read, some, from);
    let keys: string[] = [];
    let rows = 0;
    for (const key of some) {
      const own = counts.get(key) ?? 0;
      if (own > limits.rows) {
        yield* stretches(fold, read, key, from, limits);
        continue;
      }
      if (keys.length > 0 && rows + own > limits.rows) {
        yield { keys, from, to: undefined, isStretch: false };
        [keys, rows] = [[], 0];
      }
      keys.push(key);
      rows += own;
    }
    if (keys.length > 0) yield { keys, from, to: undefined, isStretch: false };
  }
}

/** Keys with the same first day, earliest first, at most `most` each. */
function chunksOf(touched: Touched, most: number): { readonly from: Day; readonly some: readonly string[] }[] {
  const byDay = Map.groupBy(touched, ([, day]) => day);
  return [...byDay]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([from, entries]) =>
      slicesOf(
        entries.map(([key]) => key),
        most,
      ).map((some) => ({ from, some })),
    );
}

async function* stretches(
  fold: Fold,
  read: FoldReader,
  key: string,
  from: Day,
  limits: SliceLimits,
): AsyncGenerator<Planned> {
  const days = await countByDay(fold, read, key, from);
  let [start, rows] = [from, 0];
  for (const [index, [day, count]] of days.entries()) {
    rows += count;
    const next = days[index + 1];
    if (next === undefined || rows + next[1] <= limits.rows) continue;
    yield { keys: [key], from: start, to: dayBefore(next[0], day), isStretch: true };
    [start, rows] = [next[0], 0];
  }
  yield { keys: [key], from: start, to: undefined, isStretch: true };
}

/** Days without ledger rows belong to the stretch before: it marks what is held on them. */
const dayBefore = (next: Day, day: Day): Day => {
  const before = dayAfter(next, -1);
  return before < day ? day : before;
};

async function countRows(
  fold: Fold,
  read: FoldReader,
  keys: readonly string[],
  from: Day,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { table, timestamp, columns, find } of fold.from) {
    if (find) continue;
    for (const [column, order] of Object.entries(columns)) {
      const rows = await read.rows<{ value: string; n: string }>(
        sql`SELECT ${textOf(table, column)} AS value, toString(count()) AS n FROM ${fromDefinition(order)} WHERE ${isOneOf(name(column), keys, keyLength(fold))} AND ${name(timestamp)} >= toDate(${bind("String", from)}) GROUP BY ${name(column)}`,
      );
      for (const { value, n } of rows) counts.set(value, (counts.get(value) ?? 0) + Number(n));
    }
  }
  return counts;
}

async function countByDay(fold: Fold, read: FoldReader, key: string, from: Day): Promise<[Day, number][]> {
  const counts = new Map<Day, number>();
  for (const { timestamp, columns, find } of fold.from) {
    if (find) continue;
    for (const [column, order] of Object.entries(columns)) {
      const rows = await read.rows<{ on: string; n: string }>(
        sql`SELECT toString(toDate(${name(timestamp)}, 'UTC')) AS on, toString(count()) AS n FROM ${fromDefinition(order)} WHERE ${isOneOf(name(column), [key], keyLength(fold))} AND ${name(timestamp)} >= toDate(${bind("String", from)}) GROUP BY on`,
      );
      for (const { on, n } of rows) counts.set(on, (counts.get(on) ?? 0) + Number(n));
    }
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}
