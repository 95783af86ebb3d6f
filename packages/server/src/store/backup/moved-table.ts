import { bind, fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { CONTENT, hasVersions, sentColumns } from "../ddl.ts";

export type MovedColumn = { readonly name: string; readonly stored: string };

/** A table as it is backed up and restored: what it says of itself is all that is needed to move its rows. */
export type MovedTable = {
  readonly name: string;
  /** Those that are sent; the engine works the others out again. */
  readonly columns: readonly MovedColumn[];
  /** Of the rows of a key only the newest is one. */
  readonly isVersioned: boolean;
  readonly key: readonly string[];
  readonly orderBy: readonly string[];
  /** The column that tells when a row was stored, where one does. */
  readonly stamp: string | undefined;
  /** Further sort orders, made again from the table. */
  readonly copies: readonly string[];
  /** All its rows are gone within a day by themselves: a backup does without them. */
  readonly isPassing: boolean;
};

const STAMPS = ["ingested_at", "version", "superseded_at"];
const VERSION = "version";

/** Every table that holds rows, superseded versions too. */
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
    isPassing: true,
  };
}

function columnsOf(table: TableDefinition): MovedColumn[] {
  const columns = sentColumns(table).map(([name, { stored }]) => ({ name, stored }));
  return hasVersions(table) ? [...columns, { name: CONTENT, stored: "UInt64" }] : columns;
}

/** All columns, for SQL. */
export const columnList = ({ columns }: MovedTable): string => columns.map(({ name }) => name).join(", ");

/** Whether a row was stored at a moment (ms since 1970) or later. False of every row of a table without a stamp. */
export function storedSince({ stamp }: MovedTable, ms: number): Sql {
  if (stamp === undefined) return sql`0`;
  const micros = String(Math.round(ms) * 1000);
  if (stamp === VERSION) return sql`version >= ${bind("UInt64", micros)}`;
  return sql`${fromDefinition(stamp)} >= fromUnixTimestamp64Micro(${bind("Int64", micros)}, 'UTC')`;
}
