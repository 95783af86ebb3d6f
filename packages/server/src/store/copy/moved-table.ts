import type { TableDefinition } from "../../definition/table.ts";
import { CONTENT, hasVersions, sentColumns } from "../ddl.ts";

export type MovedColumn = { readonly name: string; readonly stored: string };

/** A table as it is copied and backed up: what it says of itself is all that is needed to move its rows. */
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
  /** The column by whose hour or day rows are compared; by a hash of their key where there is none. */
  readonly time: MovedColumn | undefined;
  /** Further sort orders, made again from the table. */
  readonly copies: readonly string[];
  /** Hours after which the engine lets rows go by itself, counted from `stamp`. */
  readonly keepHours: number | undefined;
};

const STAMPS = ["ingested_at", "version", "superseded_at"];
const PAYLOADS = "raw_payloads";

/** Every table that holds rows, superseded versions too: cursor walks need these for as long as they are kept. */
export function toMovedTables(tables: readonly TableDefinition[]): readonly MovedTable[] {
  return tables.flatMap((table) => [toMoved(table), ...(table.keepVersionsHours === undefined ? [] : [toKept(table)])]);
}

/** Whether all its rows are gone within a day by themselves: a backup does without them. */
export function isPassing({ keepHours, name }: MovedTable): boolean {
  return keepHours !== undefined || name === PAYLOADS;
}

function toMoved(table: TableDefinition): MovedTable {
  const { name, key, orderBy, keyRange, copies } = table;
  const columns = columnsOf(table);
  const times = [keyRange, ...orderBy, ...key].map((column) => columns.find((one) => one.name === column));
  return {
    name,
    columns,
    isVersioned: hasVersions(table),
    key,
    orderBy,
    stamp: STAMPS.find((stamp) => columns.some((column) => column.name === stamp)),
    time: times.find((column) => column !== undefined && isTime(column)),
    copies: Object.keys(copies ?? {}),
    keepHours: undefined,
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
    time: superseded,
    copies: [],
    keepHours: table.keepVersionsHours,
  };
}

function columnsOf(table: TableDefinition): MovedColumn[] {
  const columns = sentColumns(table).map(([name, { stored }]) => ({ name, stored }));
  return hasVersions(table) ? [...columns, { name: CONTENT, stored: "UInt64" }] : columns;
}

const isTime = ({ stored }: MovedColumn): boolean => stored.startsWith("Date") && !stored.includes("Nullable");

/** All columns, for SQL. */
export const columnList = ({ columns }: MovedTable): string => columns.map(({ name }) => name).join(", ");
