import type { FoldReader, Fold, FoldSource, KeyRange, Touched } from "../../definition/fold.ts";
import type { Store } from "../../store/store.ts";
import { fromDefinition, name, nothing, sql, type Sql } from "../../definition/sql.ts";
import { storedSince } from "../timestamps.ts";
import { dayOfRow, inRange, keyLength, sortedByKey, textOf } from "./key-sql.ts";

/**
 * A fold reads in slices of known size, so it may take longer than a client's query. Sorting a ledger entirely costs
 * less than merging its sources row by row in their coarser orders.
 */
const SETTINGS = {
  max_execution_time: 600,
  max_threads: 2,
  max_result_bytes: 2_000_000_000,
  optimize_read_in_order: 0,
};

export function foldReader(store: Pick<Store, "read" | "rows">): FoldReader {
  return {
    rows: (statement) => store.rows(statement, { settings: SETTINGS }),
    memory: new Map(),
    bytes: (statement, format) => store.read(statement, { format, settings: SETTINGS }),
  };
}

type Found = { readonly value: string; readonly day: string };

/** Rows looked up at a time, for one slice of keys. */
const ROWS_A_RANGE = 1_000_000;
const MAX_RANGES = 65_536;
const KEY_SOURCES = ({ from }: Fold): readonly FoldSource[] => from.filter(({ find }) => find === undefined);

/** Merges the entries, keeping the earliest day of each. */
export function earliest(
  found: Iterable<readonly [string, string]>,
  into = new Map<string, string>(),
): Map<string, string> {
  for (const [value, day] of found) {
    const known = into.get(value);
    if (known === undefined || day < known) into.set(value, day);
  }
  return into;
}

/** Keys of a range with rows stored since a time (Unix ms; 0: all), with the first day of these rows. */
export async function findTouched(fold: Fold, read: FoldReader, range: KeyRange, sinceMs: number): Promise<Touched> {
  const length = keyLength(fold);
  const statements = KEY_SOURCES(fold).flatMap((source) =>
    Object.entries(source.columns).map(([column, order]) =>
      lookUp(source, column, order, sql`${inRange(column, range, length)} AND ${storedSince(source.table, sinceMs)}`),
    ),
  );
  const found = new Map<string, string>();
  for (const statement of statements) earliest(pairs(await read.rows<Found>(statement)), found);
  return found;
}

/** Keys of a range with rows in the fold's tables, with the first day of those. */
export async function findMade(fold: Fold, read: FoldReader, range: KeyRange): Promise<Touched> {
  const found = new Map<string, string>();
  for (const table of fold.into) {
    const value = textOf(table, fold.key);
    const rows = await read.rows<Found>(
      sql`SELECT ${value} AS value, toString(min(${name(fold.day)})) AS day FROM ${sortedByKey(fold, table)} FINAL WHERE ${inRange(fold.key, range, keyLength(fold))} AND NOT is_gone GROUP BY ${name(fold.key)}`,
    );
    earliest(pairs(rows), found);
  }
  return found;
}

/** Values that lead to keys, from rows stored since a time. */
export function findValues(source: FoldSource, read: FoldReader, sinceMs: number): Promise<Touched> {
  const statements = Object.entries(source.columns).map(([column, order]) =>
    lookUp(source, column, order, storedSince(source.table, sinceMs)),
  );
  return Promise.all(statements.map((statement) => read.rows<Found>(statement))).then((all) =>
    earliest(pairs(all.flat())),
  );
}

/** Number of ranges into which keys are split for lookup. */
export async function countRanges(fold: Fold, read: FoldReader, sinceMs: number): Promise<number> {
  let rows = 0;
  for (const { table } of KEY_SOURCES(fold)) {
    const [found] = await read.rows<{ n: string }>(
      sql`SELECT toString(count()) AS n FROM ${table} WHERE ${storedSince(table, sinceMs)}`,
    );
    rows += Number(found?.n ?? 0);
  }
  const wanted = Math.ceil(rows / ROWS_A_RANGE);
  return Math.min(MAX_RANGES, 2 ** Math.ceil(Math.log2(Math.max(1, wanted))));
}

function lookUp(source: FoldSource, column: string, order: string, condition: Sql): Sql {
  const final = source.table.engine === "MergeTree" ? nothing : sql`FINAL`;
  const only = source.only === undefined ? nothing : sql` AND ${source.only.stored}`;
  return sql`SELECT ${textOf(source.table, column)} AS value, toString(min(${dayOfRow(source)})) AS day FROM ${fromDefinition(order)} ${final} WHERE ${condition}${only} GROUP BY ${name(column)}`;
}

const pairs = (rows: readonly Found[]): [string, string][] => rows.map(({ value, day }) => [value, day]);
