import { bind, fromDefinition, sql, type Sql, joined } from "../../definition/sql.ts";
import { columnsIn, type TableDefinition } from "../../definition/table.ts";
import { CONTENT, hasContent, hasVersions, sentColumns } from "../ddl.ts";

/**
 * A piece of a table: rows whose leading column lies between two values (`from` inclusive, `to` exclusive; hex for
 * binary columns, else the engine's text), or a share of these by the hash of their key if one value has too many rows.
 */
export type Slice = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly share?: { readonly index: number; readonly of: number } | undefined;
};

/** The first column of the sort order that is selective enough to divide the table. */
export function sliceColumn({ orderBy, columns, name }: MovedTable): MovedColumn {
  const ordered = orderBy.map((column) => columns.find((one) => one.name === column));
  const found = ordered.find((column) => column !== undefined && !column.stored.startsWith("Enum")) ?? ordered[0];
  if (found === undefined) throw new TypeError(`${name} has no sort order`);
  return found;
}

/** A column as the text that slices use for its values. */
export const sliceText = ({ name, stored }: MovedColumn): string =>
  stored.startsWith("FixedString") ? `hex(${name})` : `toString(${name})`;

/** The condition for the rows of a slice. */
export function sliceSql(table: MovedTable, { from, to, share }: Slice): Sql {
  const column = sliceColumn(table);
  const name = fromDefinition(column.name);
  const conditions = [
    ...(from === undefined ? [] : [sql`${name} >= ${valueOf(column, from)}`]),
    ...(to === undefined ? [] : [sql`${name} < ${valueOf(column, to)}`]),
    ...(share === undefined
      ? []
      : [sql`${keyHash(table)} % ${bind("UInt32", share.of)} = ${bind("UInt32", share.index)}`]),
  ];
  return all(conditions);
}

/** A hash of a row's key. */
export const keyHash = ({ key }: MovedTable): Sql => fromDefinition(`cityHash64(${key.join(", ")})`);

/** Joins conditions with AND; true if there are none. */
export function all(conditions: readonly Sql[]): Sql {
  const held = conditions.filter(({ text }) => text !== "");
  if (held.length === 0) return sql`1`;
  return joined(
    held.map((condition) => sql`(${condition})`),
    sql` AND `,
  );
}

function valueOf({ stored }: MovedColumn, text: string): Sql {
  const length = /^FixedString\((\d+)\)$/.exec(stored)?.[1];
  if (length !== undefined) return sql`toFixedString(unhex(${bind("String", text)}), ${fromDefinition(length)})`;
  return sql`${bind(stored.replace(/^LowCardinality\((.*)\)$/, "$1"), text)}`;
}

type MovedColumn = { readonly name: string; readonly stored: string };

/** A table as it is backed up and restored: contains all that is needed to move its rows. */
export type MovedTable = {
  readonly name: string;
  /** The columns that are sent; the engine computes the others again. */
  readonly columns: readonly MovedColumn[];
  /** Whether only the newest row of each key counts. */
  readonly isVersioned: boolean;
  readonly key: readonly string[];
  readonly orderBy: readonly string[];
  /** The column that holds when a row was stored, if there is one. */
  readonly stamp: string | undefined;
  /** Additional sort orders, rebuilt from the table. */
  readonly copies: readonly string[];
  /** The columns of the sort orders that omit some. */
  readonly copiedColumns: Readonly<Record<string, readonly MovedColumn[]>>;
  /** Its rows all expire within a day, so a backup omits them. */
  readonly isPassing: boolean;
};

const STAMPS = ["ingested_at", "version", "superseded_at"];
const VERSION = "version";

/** Every table that holds rows, including those of superseded versions. */
export function toMovedTables(tables: readonly TableDefinition[]): readonly MovedTable[] {
  return tables.flatMap((table) => [toMoved(table), ...(table.keepVersionsHours === undefined ? [] : [toKept(table)])]);
}

function toMoved(table: TableDefinition): MovedTable {
  const { name, key, orderBy, copies, isPassing = false } = table;
  const columns = columnsOf(table);
  return {
    name,
    columns,
    isVersioned: hasVersions(table),
    key,
    orderBy,
    stamp: STAMPS.find((stamp) => columns.some((column) => column.name === stamp)),
    copies: Object.keys(copies ?? {}),
    copiedColumns: Object.fromEntries(
      Object.keys(table.copiedColumns ?? {}).map((copy) => [copy, columnsOf(table, copy)]),
    ),
    isPassing,
  };
}

function toKept(table: TableDefinition): MovedTable {
  const superseded = { name: "superseded_at", stored: "DateTime('UTC')" };
  return {
    name: `${table.name}_versions`,
    columns: [...columnsOf(table), superseded],
    isVersioned: false,
    key: [...table.key, "version"],
    orderBy: [...table.key, "version"],
    stamp: superseded.name,
    copies: [],
    copiedColumns: {},
    isPassing: true,
  };
}

function columnsOf(table: TableDefinition, order = table.name): MovedColumn[] {
  const held = new Set(columnsIn(table, order));
  const columns = sentColumns(table).flatMap(([name, { stored }]) => (held.has(name) ? [{ name, stored }] : []));
  return hasContent(table, order) ? [...columns, { name: CONTENT, stored: "UInt64" }] : columns;
}

/** The table without the columns that one of its sort orders omits. */
export const asCopied = (table: MovedTable, copy: string): MovedTable => {
  const columns = table.copiedColumns[copy];
  return columns === undefined ? table : { ...table, columns };
};

/** All column names, for SQL. */
export const columnList = ({ columns }: MovedTable): string => columns.map(({ name }) => name).join(", ");

/** Whether a row was stored at a time (ms since 1970) or later. False for every row of a table without a stamp. */
export function storedSince({ stamp }: MovedTable, ms: number): Sql {
  if (stamp === undefined) return sql`0`;
  const micros = String(Math.round(ms) * 1000);
  if (stamp === VERSION) return sql`version >= ${bind("UInt64", micros)}`;
  return sql`${fromDefinition(stamp)} >= fromUnixTimestamp64Micro(${bind("Int64", micros)}, 'UTC')`;
}
