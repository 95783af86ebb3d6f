import type { RecordedRow } from "./recordings.ts";

/** How to compare a field's text: a timestamp may have more or fewer decimals, JSON other whitespace. */
export type Reading = "moment" | "json";

const RELATIVE = 1e-9;

/**
 * Returns deviations from the recording: a missing field or another JSON type, a number off by more than the
 * recording's float noise, any other unequal value. Fields beyond the recorded ones are allowed.
 */
export function differences(
  recorded: RecordedRow,
  answered: RecordedRow,
  readings: Readonly<Record<string, Reading>> = {},
): string[] {
  return Object.entries(recorded).flatMap(([field, was]) => {
    if (!(field in answered)) return [`${field} is missing`];
    const is = answered[field];
    if (typeOf(was) !== typeOf(is)) return [`${field} is ${typeOf(is)}, was ${typeOf(was)}`];
    return isSame(was, is, readings[field]) ? [] : [`${field} is ${String(is)}, was ${String(was)}`];
  });
}

function isSame(was: unknown, is: unknown, reading: Reading | undefined): boolean {
  if (typeof was === "number" && typeof is === "number") {
    return Math.abs(was - is) <= RELATIVE * Math.max(Math.abs(was), Math.abs(is));
  }
  if (typeof was !== "string" || typeof is !== "string") return was === is;
  if (reading === "moment") return microsOf(was) === microsOf(is);
  if (reading === "json") return JSON.stringify(JSON.parse(was)) === JSON.stringify(JSON.parse(is));
  return was === is;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** A UTC timestamp to the microsecond; throws for anything else. */
function microsOf(text: string): string {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z$/.exec(text);
  if (!found) throw new Error(`not a UTC moment: ${text}`);
  return `${found[1]}.${(found[2] ?? "").padEnd(6, "0")}`;
}
