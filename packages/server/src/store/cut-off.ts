import { fromDefinition, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";
import { WHOLE } from "../definition/whole-table.ts";

/** Batches (by the moment their rows were stored, engine text) of which copies hold more rows than the table. */
export type CutOff = { readonly batches: readonly string[]; readonly count: string; readonly oldest: string };

const MOST_NAMED = 1000;

/**
 * Finds inserts that were cut off after a copy and before the table. Nothing is compared where both hold as many rows;
 * newer batches in the table do not hide one: it may come again much later, or after another restart.
 */
export function findCutOff({ name, copies }: TableDefinition): Sql {
  const each = Object.keys(copies ?? {}).map(
    (copy) =>
      `SELECT ingested_at FROM (SELECT ingested_at, toInt64(1) AS n FROM ${copy} UNION ALL SELECT ingested_at, toInt64(-1) FROM ${name}) ` +
      `WHERE (SELECT count() FROM ${copy}) != (SELECT count() FROM ${name}) GROUP BY ingested_at HAVING sum(n) > 0`,
  );
  return fromDefinition(
    `SELECT groupArray(${MOST_NAMED})(toString(ingested_at)) AS batches, toString(count()) AS count, toString(min(ingested_at)) AS oldest ` +
      `FROM (SELECT DISTINCT ingested_at FROM (${each.join(" UNION ALL ")}))`,
  );
}

const moment = (text: string): string => `toDateTime64('${text}', 6, 'UTC')`;

/** Rows of such batches, as SQL over a copy; undefined where there are none. */
export function rowsCutOff(found: CutOff | undefined): string | undefined {
  if (found === undefined || found.count === "0") return undefined;
  if (Number(found.count) > found.batches.length) return `ingested_at >= ${moment(found.oldest)}`;
  return `ingested_at IN (${found.batches.map(moment).join(", ")})`;
}

/** Takes such rows out of a copy. GLOBAL, since a deletion is carried out without the settings for a cluster. */
export function dropCutOff({ name, key }: TableDefinition, copy: string, rows: string): Sql {
  const keys = key.join(", ");
  return fromDefinition(
    `DELETE FROM ${copy} WHERE ${rows} AND (${keys}) NOT IN (SELECT ${keys} FROM ${WHOLE}${name} WHERE (${keys}) GLOBAL IN (SELECT ${keys} FROM ${WHOLE}${copy} WHERE ${rows}))`,
  );
}
