import { fromDefinition, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";

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
  const copied = Object.keys(copies ?? {}).map((copy) => `INSERT INTO ${copy} SELECT * FROM ${fresh}`);
  return [...kept, ...copied, `INSERT INTO ${name} SELECT * FROM ${fresh}`].map(fromDefinition);
}
