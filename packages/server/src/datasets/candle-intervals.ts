import { daysAt, minutesAt, type Span } from "../definition/spans.ts";
import { bind, sql, type Bound, type Sql } from "../definition/sql.ts";
import type { Numbering } from "./filled-buckets.ts";

const MINUTES: Readonly<Record<string, number>> = { "1m": 1, "5m": 5, "15m": 15, "1h": 60, "4h": 240 };

export const isOfDays = (interval: string): boolean => MINUTES[interval] === undefined;

/** Start of the bucket a minute is in. Days and weeks (from Monday) begin at midnight of the zone. */
export function bucketOf(interval: string, zone: Bound): Sql {
  const minutes = MINUTES[interval];
  if (minutes !== undefined) return sql`toStartOfInterval(minute, toIntervalMinute(${bind("UInt32", minutes)}), 'UTC')`;
  const day = interval === "1w" ? sql`toStartOfWeek(minute, 1, ${zone})` : sql`toDate(minute, ${zone})`;
  return sql`toTimeZone(toDateTime(${day}, ${zone}), 'UTC')`;
}

/** Upper bound of a bucket's length, including days with a clock change. */
export function longestOf(interval: string): Sql {
  const minutes = MINUTES[interval];
  return minutes === undefined ? sql`toIntervalDay(8)` : sql`toIntervalMinute(${bind("UInt32", minutes)})`;
}

/** The full bucket that contains a timestamp, as a span in Unix ms. */
export function wholeAt({ interval, tz }: Readonly<Record<string, Bound>>, ms: number): Span {
  const minutes = MINUTES[String(interval?.value)];
  if (minutes !== undefined) return minutesAt(ms, minutes);
  return daysAt(ms, interval?.value === "1w" ? 7 : 1, String(tz?.value ?? "UTC"));
}

/** The bucket of a range's start. */
export function floorOf(start: Bound, interval: string, zone: Bound): Sql {
  const bucket = bucketOf(interval, zone);
  return sql`(SELECT ${bucket} FROM (SELECT toDateTime(${start}, 'UTC') AS minute))`;
}

/** Numbers buckets by their length in minutes; days and weeks by the zone's local days. */
export function numberingOf(interval: string, zone: Bound): Numbering {
  const minutes = MINUTES[interval];
  if (minutes !== undefined) {
    const length = bind("UInt32", minutes * 60);
    return {
      numberOf: (bucket) => sql`intDiv(toUnixTimestamp(${bucket}), ${length})`,
      bucketOf: (number) => sql`toDateTime(${number} * ${length}, 'UTC')`,
    };
  }
  // The first Monday of 1970 is its day 4.
  const [days, first] = interval === "1w" ? [sql`7`, sql`4`] : [sql`1`, sql`0`];
  return {
    numberOf: (bucket) => sql`intDiv(toUInt32(toDate(${bucket}, ${zone})) - ${first}, ${days})`,
    bucketOf: (number) => sql`toTimeZone(toDateTime(toDate(toUInt16(${number} * ${days} + ${first})), ${zone}), 'UTC')`,
  };
}
