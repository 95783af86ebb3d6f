import { bind, fromDefinition, joined, sql, type Sql } from "../definition/sql.ts";
import type { StoredColumn, TableDefinition, InsertRow } from "../definition/table.ts";
import { CONTENT, contentColumns, copyInto, hasVersions, sentColumns } from "./ddl.ts";
import { isPacked, type PackedRows } from "../definition/packed-rows.ts";

export type StagedRows = {
  /** Structure of the data, for the engine's `input`. */
  readonly structure: string;
  /** Each column of the table as SQL over the data. */
  readonly select: Readonly<Record<string, string>>;
  readonly format: string;
  /** Microseconds since 1970: the time of storing, and the version. */
  readonly version: bigint;
};

const COMMA = sql`, `;
const FILLED_BY_STORE = new Set(["ingested_at", "version"]);

/** The columns that a row brings; the store adds the time of storing and the version. */
export function broughtColumns(table: TableDefinition): [string, StoredColumn][] {
  return sentColumns(table).filter(([column]) => !FILLED_BY_STORE.has(column));
}

/** Layout of the rows of a Parquet file that has the table's columns. */
export function parquetRows(table: TableDefinition): Omit<StagedRows, "version"> {
  const brought = broughtColumns(table);
  return {
    format: "Parquet",
    structure: brought.map(([name, { stored }]) => `${name} ${stored}`).join(", "),
    select: Object.fromEntries(brought.map(([name]) => [name, name])),
  };
}

function contentOf(table: TableDefinition): string {
  const values = `tuple(${contentColumns(table).join(", ")})`;
  return table.hashesValues === true ? values : `toString(${values})`;
}

/** Parses the data sent along into a staging table. */
export function stageRows(
  table: TableDefinition,
  staged: string,
  { structure, select, format, version }: StagedRows,
): Sql {
  const { columns } = table;
  const added: Record<string, Sql> = {
    ...("ingested_at" in columns ? { ingested_at: sql`fromUnixTimestamp64Micro(${bind("Int64", version)})` } : {}),
    ...("version" in columns ? { version: sql`${bind("UInt64", version)}` } : {}),
    ...(hasVersions(table) && table.storedAsMade !== true
      ? { [CONTENT]: fromDefinition(`cityHash64(${contentOf(table)})`) }
      : {}),
  };
  const names = broughtColumns(table).map(([column]) => column);
  const target = fromDefinition([...names, ...Object.keys(added)].join(", "));
  const stored = fromDefinition(names.map((column) => `${select[column]} AS ${column}`).join(", "));
  const source = fromDefinition(structure.replaceAll("'", "\\'"));
  const list = joined(
    Object.entries(added).map(([column, value]) => sql`${value} AS ${fromDefinition(column)}`),
    COMMA,
  );
  // A hash of the stored content needs the stored values; without one, a step less is planned.
  const rows =
    CONTENT in added
      ? sql`SELECT *, ${list} FROM (SELECT ${stored} FROM input('${source}'))`
      : sql`SELECT ${joined([stored, ...(Object.keys(added).length > 0 ? [list] : [])], COMMA)} FROM input('${source}')`;
  return sql`INSERT INTO ${fromDefinition(staged)} (${target}) ${rows} FORMAT ${fromDefinition(format)}`;
}

export type SentRows = {
  readonly count: number;
  readonly data: Buffer;
  readonly staged: Omit<StagedRows, "version">;
};

/** Rows in the form they are sent in: objects as JSON, packed rows unchanged. */
export function sentRows(table: TableDefinition, rows: readonly InsertRow[] | PackedRows): SentRows {
  const sent = broughtColumns(table);
  const structureOf = (kind: "insert" | "stored"): string =>
    sent.map(([column, types]) => `${column} ${types[kind]}`).join(", ");
  if (isPacked(rows)) {
    const select = Object.fromEntries(sent.map(([column]) => [column, column]));
    const staged = { structure: structureOf("stored"), select, format: "RowBinary" };
    return { count: rows.starts.length, data: rows.bytes, staged };
  }
  const select = Object.fromEntries(sent.map(([column, { store }]) => [column, store ? store(column) : column]));
  const data = Buffer.from(rows.map((row) => JSON.stringify(row)).join("\n"), "utf8");
  return { count: rows.length, data, staged: { structure: structureOf("insert"), select, format: "JSONEachRow" } };
}

/** Stores the rows of a staging table: kept versions first, then the copies, the table itself last. */
export function publishRows(table: TableDefinition, fresh: string): Sql[] {
  const { name, key, copies, keepVersionsHours } = table;
  const keys = key.join(", ");
  const kept =
    keepVersionsHours === undefined
      ? []
      : [
          `INSERT INTO ${name}_versions SELECT *, now('UTC') FROM ${name} FINAL WHERE (${keys}) IN (SELECT ${keys} FROM ${fresh})`,
        ];
  const copied = Object.keys(copies ?? {}).map((copy) => copyInto(table, copy, fresh));
  return [...kept, ...copied, `INSERT INTO ${name} SELECT * FROM ${fresh}`].map(fromDefinition);
}
