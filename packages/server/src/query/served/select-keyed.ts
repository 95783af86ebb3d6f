import { isIn, type IdKind } from "../../definition/filter.ts";
import type { KeyedSpan } from "../../definition/served-keyed.ts";
import { LAST_SECOND, type ServedTable } from "../../definition/served.ts";
import { slicesOf } from "../../definition/slices.ts";
import { bind, joined, name, sql, type Named, type Sql } from "../../definition/sql.ts";
import { copyOf, type TableDefinition } from "../../definition/table.ts";
import { compared } from "../../serving/feed/read-in-order.ts";
import { isBetween, isHeld, isStored, isUpTo, lastAt, newestOf } from "../../serving/feed/select-served.ts";

/** A read by key column: all rows of a span, or the newest down to the first one at or before its start. */
export type KeyedQuestion = {
  readonly table: ServedTable;
  readonly column: string;
  readonly span: KeyedSpan;
  readonly isLatest: boolean;
};

/** The engine accepts 131,072 characters per value, which is this many ids of 78 digits. */
export const IDS_A_VALUE = 1_500;
const COMMA = sql`, `;
const KINDS: Readonly<Record<string, IdKind>> = {
  wallet: "wallet",
  hash: "condition",
  token: "token",
  integer: "token",
  text: "text",
};

/**
 * Selects up to `most` rows of some values of a column, those of a value together and in the order of the served table.
 */
export function selectKeyed(
  { table, column, span, isLatest }: KeyedQuestion,
  stored: TableDefinition,
  values: readonly string[],
  most: number,
): Sql {
  const rows = newestOf(table, beginningWith(stored, column));
  const key = name(column);
  const sort = table.sort.filter((each) => each !== column && isStored(table.columns[each]));
  const columns = joined(columnsOf(table, stored), COMMA);
  const limit = sql`LIMIT ${bind("UInt64", most)}`;
  if (!isLatest) {
    const chosen = sql`${isAmong(table, column, values)} AND ${isWithin(table, span)}`;
    const order = joined([key, ...compared(table, sort)], COMMA);
    return sql`SELECT ${columns} FROM ${rows} WHERE ${chosen} ORDER BY ${order} ${limit}`;
  }
  const timestamp = name(table.sort[0]);
  const chosen = sql`${isAmong(table, column, values)} AND ${isUpTo(table, span.to)} AND ${isHeld(table)}`;
  // Rows after the start are grouped by their own time; all rows before it form one group.
  const until = sql`LIMIT 1 BY ${key}, greatest(${timestamp}, ${lastAt(table, span.from)})`;
  return sql`SELECT ${columns} FROM ${rows} WHERE ${chosen} ORDER BY ${key}, ${timestamp} DESC ${until} ${limit}`;
}

/** Columns as stored; low-cardinality texts are cast, since their dictionary numbers would need a lookup. */
const columnsOf = ({ columns }: ServedTable, stored: TableDefinition): Sql[] =>
  Object.entries(columns)
    .filter(([, kept]) => isStored(kept))
    .map(([column]) => {
      const isByNumber = stored.columns[column]?.stored.startsWith("LowCardinality(") === true;
      return isByNumber ? sql`CAST(${name(column)}, 'String') AS ${name(column)}` : name(column);
    });

/** The table, or its copy whose sort order begins with a column. */
function beginningWith(table: TableDefinition, column: string): Named {
  const copy = Object.entries(table.copies ?? {}).find(([, order]) => order[0] === column);
  return table.orderBy[0] === column || copy === undefined ? table : copyOf(table, copy[0]);
}

function isAmong({ columns }: ServedTable, column: string, values: readonly string[]): Sql {
  const kind = KINDS[columns[column]?.kind ?? ""];
  if (kind === undefined) throw new TypeError(`rows are not read by ${column}`);
  const slices = slicesOf(values, IDS_A_VALUE).map((some) => isIn(column, kind, bind("Array(String)", some)));
  return sql`(${joined(slices, sql` OR `)})`;
}

const isWithin = (table: ServedTable, { from, to }: KeyedSpan): Sql =>
  from === 0 && to === LAST_SECOND ? isHeld(table) : isBetween(table, from, to);
