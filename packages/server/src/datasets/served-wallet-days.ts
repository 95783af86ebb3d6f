import type { KeyedRow } from "../definition/served-keyed.ts";
import { daysAt, type Span } from "../definition/spans.ts";
import { timestampMicros } from "../definition/timestamp.ts";
import type { Bound } from "../definition/sql.ts";

const DAY = 86_400;
/** The first Monday of 1970, in seconds. */
const MONDAY = 4 * DAY;

/** The first second of a timestamp's UTC day. */
export const dayOf = (timestamp: Bound): number => Math.floor(timestampMicros(timestamp) / 1e6 / DAY) * DAY;

/** For coverage: rows of a range are of full UTC days. */
export const wholeDayAt = (_: unknown, ms: number): Span => daysAt(ms, 1, "UTC");

const inRuns = (days: number, shift: number) => (day: number) =>
  Math.floor((day - shift) / (days * DAY)) * days * DAY + shift;

/** The first day of a day's bucket, both given by their first seconds. */
export const BUCKET_OF: Readonly<Record<string, (day: number) => number>> = {
  "1d": (day) => day,
  "3d": inRuns(3, 0),
  "1w": inRuns(7, MONDAY),
  "1M": (day) => {
    const date = new Date(day * 1000);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000;
  },
};

/** Skips tombstones. */
export function* liveDays(days: Iterable<KeyedRow>): Generator<KeyedRow, void, void> {
  for (const day of days) if (day.number("is_gone") === 0) yield day;
}
