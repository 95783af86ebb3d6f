import { one, type Query } from "../../polymarket/query-values.ts";
import { GdeltRefusal } from "./gdelt-refusal.ts";
import { readStamp } from "./stamp.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Three months; what is older cannot be asked for. */
const REACH_MS = 92 * DAY_MS;
const SHORTEST_MS = 15 * MINUTE_MS;

const UNITS: Readonly<Record<string, number>> = {
  min: MINUTE_MS,
  minutes: MINUTE_MS,
  h: 3_600_000,
  hours: 3_600_000,
  d: DAY_MS,
  days: DAY_MS,
  w: 7 * DAY_MS,
  weeks: 7 * DAY_MS,
  m: 30 * DAY_MS,
  months: 30 * DAY_MS,
};

/** Both ends inclusive. */
export interface Window {
  from_ms: number;
  to_ms: number;
}

/** From `startdatetime` and `enddatetime`, else `timespan`, else the last three months. */
export function readWindow(query: Query, now: number): Window {
  const reach = now - REACH_MS;
  const [start, end] = [one(query, "startdatetime"), one(query, "enddatetime")];
  if (start === undefined && end === undefined) return { from_ms: now - readSpan(one(query, "timespan")), to_ms: now };
  const from_ms = start === undefined ? reach : readStamp(start);
  const to_ms = end === undefined ? now : readStamp(end);
  if (from_ms === undefined || from_ms < reach) throw new GdeltRefusal("Invalid query start date.");
  if (to_ms === undefined || to_ms < from_ms) throw new GdeltRefusal("Invalid query end date.");
  return { from_ms, to_ms: Math.min(to_ms, now) };
}

function readSpan(text: string | undefined): number {
  if (text === undefined) return REACH_MS;
  const [, number, unit = ""] = /^(\d{1,4})([a-z]+)$/.exec(text.toLowerCase()) ?? [];
  const span = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (Number.isNaN(span)) throw new GdeltRefusal("Invalid timespan.");
  if (span < SHORTEST_MS) throw new GdeltRefusal("Timespan is too short.");
  return Math.min(span, REACH_MS);
}
