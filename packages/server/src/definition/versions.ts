import { bind, fromDefinition, name, sql, type Bound, type Sql } from "./sql.ts";
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
