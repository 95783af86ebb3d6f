import type { Span } from "./spans.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** 5 January 1970. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The UTC interval of `minutes` minutes that contains a timestamp; Unix ms, both ends inclusive. */
export function minutesAt(timestamp: number, minutes: number): Span {
  const length = minutes * MINUTE_MS;
  const from = Math.floor(timestamp / length) * length;
  return { from, to: from + length - 1 };
}

/** The local day, or the week from Monday, that contains a timestamp; Unix ms, both ends inclusive. */
export function daysAt(timestamp: number, days: 1 | 7, zone: string): Span {
  const length = days * DAY_MS;
  const first = days === 7 ? FIRST_MONDAY_MS : 0;
  const local = timestamp + aheadMs(timestamp, zone);
  const begin = first + Math.floor((local - first) / length) * length;
  return { from: toUtc(begin, zone), to: toUtc(begin + length, zone) - 1 };
}

/** Converts local time to UTC. Looked up twice, because the offset may change within a day of it. */
function toUtc(local: number, zone: string): number {
  const near = local - aheadMs(local, zone);
  return local - aheadMs(near, zone);
}

/** The zone's UTC offset at a timestamp. */
function aheadMs(timestamp: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(
    timestamp,
  );
  const text = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = 0, minutes = 0] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}
