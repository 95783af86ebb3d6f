import { fromDefinition, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";

/**
 * Finds whether a copy of a table with versions holds rows that the table itself never got: an insert was cut off
 * between them. `at` is the table's newest version.
 */
export function findAhead({ name }: TableDefinition, copy: string): Sql {
  return fromDefinition(
    `SELECT toString((SELECT max(version) FROM ${name})) AS at, toUInt8((SELECT max(version) FROM ${copy}) > (SELECT max(version) FROM ${name})) AS is_ahead`,
  );
}

/** Has the copy say what the table says again, with `version`, a newer one than any: what is inserted, then what goes. */
export function takeBackAhead({ name, key }: TableDefinition, copy: string, at: string, version: bigint): [Sql, Sql] {
  const keys = key.join(", ");
  const ahead = `version > ${BigInt(at)} AND version < ${version}`;
  return [
    fromDefinition(
      `INSERT INTO ${copy} SELECT * REPLACE(toUInt64(${version}) AS version) FROM ${name} FINAL WHERE (${keys}) IN (SELECT ${keys} FROM ${copy} WHERE ${ahead})`,
    ),
    fromDefinition(`DELETE FROM ${copy} WHERE ${ahead}`),
  ];
}
