import { bind, fromDefinition, name, sql, type Bound, type Sql, type Named } from "./sql.ts";
import type { TableDefinition } from "./table.ts";

/** The newest version in a table whose rows change: the snapshot of a walk that starts now. */
export const newestVersion = (table: TableDefinition): Sql =>
  sql`SELECT toString(max(version)) AS snapshot FROM ${table}`;

/**
 * A table whose rows change, in its current state or as of a snapshot: rows changed since then are read from the kept
 * versions.
 */
export function asOfSnapshot(table: TableDefinition, snapshot: Bound | undefined): Sql {
  if (snapshot === undefined) return sql`${table} FINAL`;
  const kept = name(`${table.name}_versions`);
  const key = name(table.key.join("_") === table.key[0] ? (table.key[0] ?? "") : fail(table));
  const columns = Object.entries(table.columns).map(([column]) => column);
  const list = columns.map((column) => name(column).text).join(", ");
  const stored = columns
    .map((column) =>
      table.columns[column]?.materialized ? `${table.columns[column].materialized} AS ${column}` : column,
    )
    .join(", ");
  const at = bind("UInt64", snapshot.value);
  return sql`(SELECT ${fromDefinition(list)} FROM ${table} FINAL WHERE version <= ${at} UNION ALL SELECT ${fromDefinition(stored)} FROM ${kept} WHERE version <= ${at} AND ${key} IN (SELECT ${key} FROM ${table} FINAL WHERE version > ${at}) ORDER BY version DESC LIMIT 1 BY ${key})`;
}

function fail(table: TableDefinition): never {
  throw new TypeError(`${table.name}: snapshots need a key of one column`);
}

/** Marker before a table name, which the store replaces by the database name on a cluster. */
export const WHOLE = "/* whole */ ";

/** A table read inside a statement that changes another one: on a cluster all of it, not one shard's rows. */
export const wholeTable = (table: Named): Sql => fromDefinition(`${WHOLE}${table.name}`);

/**
 * The store's active parts, for a FROM; ends in a WHERE, so further conditions follow with AND. On a cluster it reads
 * one replica of each shard, so that rows are counted once.
 */
export const ACTIVE_PARTS = sql`system.parts WHERE active AND database = currentDatabase()`;

/** The tables that hold the store's rows, on a cluster of every shard, for a FROM; ends in a WHERE as ACTIVE_PARTS. */
export const STORED_TABLES = sql`system.tables WHERE currentDatabase() = database`;

/** As ACTIVE_PARTS, but from every replica: everything that occupies a disk. Rows are counted once per replica. */
export const PARTS_OF_ALL_REPLICAS = sql`system.parts WHERE active AND currentDatabase() = database`;
