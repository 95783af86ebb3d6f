import { LAST_SECOND, type ServedTable } from "../../definition/served.ts";
import type { LeftSpan } from "../../definition/left-span.ts";
import { bind, sql } from "../../definition/sql.ts";
import { VERSIONS_BELOW, type DayCount } from "../day-counts.ts";
import type { ServingReader } from "../reader.ts";
import type { Feed } from "./build-index.ts";
import { DAY_SECONDS, isFrom, newestOf, secondsOf, storedMicros } from "./select-served.ts";

const NONE: DayCount = { count: 0, versions: 0 };

const areEqual = (a: DayCount, b: DayCount): boolean => a.count === b.count && a.versions === b.versions;

/** A day as a span of seconds, with the number of its rows in the store. */
export type Day = LeftSpan & { readonly rows: number };

/** First second that is compared, for a table kept for a number of days: the start of the oldest of those days. */
const earliestOf = ({ maxDays }: ServedTable, days: Iterable<number>): number =>
  maxDays === undefined ? 0 : (Math.max(maxDays, ...days) - maxDays) * DAY_SECONDS;

/** Returns the days for which the index and the store differ in the number of rows or in their versions. */
export async function differingDays(reader: ServingReader, { store, table, served }: Feed): Promise<Day[]> {
  const held = reader.days.all();
  const floor = Math.max(reader.floor() ?? 0, earliestOf(served, held.keys()));
  const versions =
    served.isVersioned === true
      ? sql`sum(toUInt64(${storedMicros(served, table)}) % ${bind("UInt32", VERSIONS_BELOW)})`
      : sql`0`;
  const counted = await store.rows<{ day: number; n: string; versions: string }>(
    sql`SELECT toUInt32(intDiv(${secondsOf(served)}, 86400)) AS day, toString(count()) AS n, toString(${versions}) AS versions FROM ${newestOf(served, table)} WHERE ${isFrom(served, floor)} GROUP BY day`,
  );
  const stored = new Map(counted.map((row) => [row.day, { count: Number(row.n), versions: Number(row.versions) }]));
  return [...new Set([...stored.keys(), ...held.keys()])]
    .filter((day) => day >= Math.floor(floor / DAY_SECONDS))
    .filter((day) => !areEqual(stored.get(day) ?? NONE, held.get(day) ?? NONE))
    .map((day) => ({
      from: Math.max(floor, day * DAY_SECONDS),
      to: Math.min(LAST_SECOND, day * DAY_SECONDS + DAY_SECONDS - 1),
      rows: (stored.get(day) ?? NONE).count,
    }));
}
