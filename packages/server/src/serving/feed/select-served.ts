import type { ServedColumn, ServedTable } from "../../definition/served.ts";
import { bind, joined, name, sql, type Named, type Sql } from "../../definition/sql.ts";
import type { Store } from "../../store/store.ts";
import type { PlainColumn } from "../batch.ts";
import type { FedTable } from "./thread/feed-calls.ts";
import { readNative, type NativeBlock } from "./native.ts";

const COMMA = sql`, `;
/** Prefix of the answer's column names, so that none of them hides a column of the table. */
const OF_ANSWER = "v_";
/** Small blocks: each is decoded in a few milliseconds, and an ordered read takes at least one block of each part. */
const READING = { max_execution_time: 600, max_block_size: 8192 };

const ofDay = (day: Sql): Sql => sql`toUInt32(toUInt32(${day}) * 86400)`;

/** Whether the table has the column. */
export const isStored = (kept: ServedColumn | undefined): boolean => kept?.kind !== "seconds" || kept.of !== "none";

/** The value of a column in a type that readNative supports. */
function valueOf(column: string, kept: ServedColumn): Sql {
  const stored = name(column);
  if (!isStored(kept)) return sql`toUInt32(0)`;
  if (kept.kind === "seconds") return kept.of === "day" ? ofDay(stored) : sql`ifNull(toUInt32(${stored}), 0)`;
  if (kept.kind === "token") return sql`toString(${stored})`;
  if (kept.kind === "integer") return sql`reverse(reinterpretAsFixedString(${stored}))`;
  if (kept.kind === "list") {
    const one = kept.of === "levels" ? sql`concat(toString(one.price), ' ', toString(one.size))` : sql`toString(one)`;
    return sql`arrayStringConcat(arrayMap(one -> ${one}, ${stored}), ',')`;
  }
  if (kept.kind === "text") return sql`CAST(${stored}, 'String')`;
  if (kept.kind === "count") return sql`toFloat64(${stored})`;
  if (kept.kind === "millis") return sql`toFloat64(toUnixTimestamp64Milli(${stored}))`;
  if (kept.kind === "micros") return sql`toFloat64(toUnixTimestamp64Micro(${stored}))`;
  if (kept.kind === "flag") return sql`toUInt8(${stored})`;
  if (kept.kind !== "choice") return stored;
  return sql`toUInt8(indexOf(${bind("Array(String)", kept.values)}, toString(${stored})) - 1)`;
}

/** The rows of a table; for tables with versions the newest of each. */
export const newestOf = ({ isVersioned }: ServedTable, from: Named): Sql =>
  isVersioned === true ? sql`${from} FINAL` : sql`${from}`;

/** When a row was stored, in microseconds since 1970; versions have this unit too. */
export const storedMicros = ({ storedAt }: ServedTable, table: FedTable): Sql =>
  table.columns[storedAt]?.stored === "UInt64" ? name(storedAt) : sql`toUnixTimestamp64Micro(${name(storedAt)})`;

/** Rows without a time column all count as of the first day. */
const timestamp = ({ columns, sort }: ServedTable): Sql =>
  isStored(columns[sort[0]]) ? name(sort[0]) : sql`toDate(0)`;
const at = (second: number): Sql => sql`toDateTime(${bind("UInt32", second)}, 'UTC')`;
const dayAt = (day: number): Sql => sql`toDate(${bind("UInt16", day)})`;

export const DAY_SECONDS = 86_400;

/** Whether the times of the rows are UTC days. */
export function isByDay({ columns, sort }: ServedTable): boolean {
  const kept = columns[sort[0]];
  return kept?.kind === "seconds" && (kept.of === "day" || kept.of === "none");
}

/** The Unix second of a row's time. */
export const secondsOf = (table: ServedTable): Sql =>
  isByDay(table) ? ofDay(timestamp(table)) : sql`toUnixTimestamp(${timestamp(table)})`;

/** A Unix second as the lower bound for the row's time. */
export const firstAt = (table: ServedTable, second: number): Sql =>
  isByDay(table) ? dayAt(Math.ceil(second / DAY_SECONDS)) : at(second);

/** Condition for the rows that the index holds, from a second on. */
export const isFrom = (table: ServedTable, second: number): Sql =>
  sql`${timestamp(table)} >= ${firstAt(table, second)} AND ${isHeld(table)}`;

export const isHeld = ({ only }: ServedTable): Sql =>
  only === undefined ? sql`1` : sql`${name(only.column)} = ${bind("UInt32", only.is)}`;

/** Condition for rows up to the end of a second. */
export const isUpTo = (table: ServedTable, second: number): Sql => sql`${timestamp(table)} <= ${lastAt(table, second)}`;

/** The end of a second, as the upper bound for the row's time. */
export function lastAt(table: ServedTable, second: number): Sql {
  if (table.columns[table.sort[0]]?.kind !== "seconds")
    return sql`fromUnixTimestamp64Micro(${bind("Int64", `${second}999999`)}, 'UTC')`;
  return isByDay(table) ? dayAt(Math.floor(second / DAY_SECONDS)) : at(second);
}

/** Condition for a range of seconds, both inclusive. */
export const isBetween = (table: ServedTable, from: number, to: number): Sql =>
  sql`${isFrom(table, from)} AND ${isUpTo(table, to)}`;

/**
 * Selects the columns that the index keeps from the matching rows of a table, or of one of its additional sort orders.
 */
export function selectServed({ columns }: ServedTable, from: Named | Sql, where: Sql): Sql {
  const values = Object.entries(columns).map(
    ([column, kept]) => sql`${valueOf(column, kept)} AS ${name(OF_ANSWER + column)}`,
  );
  return sql`SELECT ${joined(values, COMMA)} FROM ${from} WHERE ${where}`;
}

export async function* readBlocks(store: Pick<Store, "read">, statement: Sql): AsyncGenerator<NativeBlock, void, void> {
  const bytes = await store.read(statement, { format: "Native", settings: READING });
  for (const { count, columns } of readNative(bytes)) yield { count, columns: named(columns) };
}

export async function allBlocks(store: Pick<Store, "read">, statement: Sql): Promise<NativeBlock[]> {
  const blocks: NativeBlock[] = [];
  for await (const block of readBlocks(store, statement)) blocks.push(block);
  return blocks;
}

const named = (columns: Readonly<Record<string, PlainColumn>>): Record<string, PlainColumn> =>
  Object.fromEntries(Object.entries(columns).map(([column, values]) => [column.slice(OF_ANSWER.length), values]));
