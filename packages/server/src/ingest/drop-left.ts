import type { Derivation } from "../definition/derivation.ts";
import { bind, joined, name, sql } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";

/**
 * Takes away what was worked out before `nowMs` for these buckets (Unix seconds): they were worked out again at that
 * moment, and what was not made then has no rows any more. Looked for first, because a deletion costs much.
 */
export async function dropLeft(
  { into }: Derivation,
  store: Store,
  starts: readonly number[],
  nowMs: number,
): Promise<void> {
  if (into.keyRange === undefined || !("version" in into.columns)) {
    throw new TypeError(`${into.name} cannot lose rows: it needs a keyRange and versions`);
  }
  const now = bind("UInt64", BigInt(nowMs) * 1000n);
  const moment = sql`toDateTime(arrayJoin(${bind("Array(UInt32)", starts)}), 'UTC')`;
  const isDay = into.columns[into.keyRange]?.stored === "Date";
  const inBuckets = sql`${name(into.keyRange)} IN (SELECT ${isDay ? sql`toDate(${moment}, 'UTC')` : moment})`;
  const keys = joined(into.key.map(name), sql`, `);
  const [found] = await store.rows(
    sql`SELECT 1 AS found FROM ${into} WHERE ${inBuckets} GROUP BY ${keys} HAVING max(version) < ${now} LIMIT 1`,
  );
  if (found === undefined) return;
  await store.alter(sql`DELETE FROM ${into} WHERE ${inBuckets} AND version < ${now}`);
}
