import { slicesOf } from "../../definition/slices.ts";
import { bind, fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { all, keyHash } from "./slice.ts";
import type { MovedTable } from "./moved-table.ts";

const HASHES = 64;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const isDay = (stored: string): boolean => stored === "Date";

/** The bucket of a row, as text: its hour or day (UTC), or a number from its key in tables without time. */
export function bucketSql(table: MovedTable): Sql {
  const { time } = table;
  if (time === undefined) return sql`toString(${keyHash(table)} % ${bind("UInt32", HASHES)})`;
  return fromDefinition(isDay(time.stored) ? `toString(${time.name})` : `toString(toStartOfHour(${time.name}))`);
}

/** The rows of some buckets. */
export function inBuckets(table: MovedTable, buckets: readonly string[]): Sql {
  const chosen = sql`${bucketSql(table)} IN ${bind("Array(String)", buckets)}`;
  const { time } = table;
  if (time === undefined) return chosen;
  const moments = buckets.map(toMs);
  const step = isDay(time.stored) ? DAY_MS : HOUR_MS;
  const [first, end] = [Math.min(...moments), Math.max(...moments) + step];
  const name = fromDefinition(time.name);
  // The range lets the engine skip what lies outside of it.
  return all([sql`${name} >= ${momentSql(time.stored, first)}`, sql`${name} < ${momentSql(time.stored, end)}`, chosen]);
}

function momentSql(stored: string, ms: number): Sql {
  const iso = new Date(ms).toISOString();
  if (isDay(stored)) return sql`toDate(${bind("String", iso.slice(0, 10))})`;
  return sql`toDateTime(${bind("String", iso.slice(0, 19).replace("T", " "))}, 'UTC')`;
}

const toMs = (bucket: string): number => Date.parse(`${bucket.slice(0, 10)}T${bucket.slice(11) || "00:00:00"}Z`);

/** Buckets in order, side by side ones together, so many at a time. */
export const inGroups = (buckets: readonly string[], most: number): string[][] => slicesOf(buckets.toSorted(), most);
