import type { Fault } from "./fault.ts";
import { isJsonObject, type JsonObject } from "./json-object.ts";
import type { FaultEndpoint } from "./fault-endpoint.ts";

type Drift = Extract<Fault, { kind: "drift" }>;

/**
 * Changes a field of a row, in place. Dots in the field name descend into objects and into each member of lists.
 * Returns false if the row lacks the field.
 */
export function driftRow(row: unknown, drift: Drift): boolean {
  return change(row, drift.field.split("."), drift);
}

function change(value: unknown, keys: readonly string[], drift: Drift): boolean {
  if (Array.isArray(value)) return value.map((each) => change(each, keys, drift)).some(Boolean);
  const [key, ...rest] = keys;
  if (!isJsonObject(value) || key === undefined || !Object.hasOwn(value, key)) return false;
  if (rest.length > 0) return change(value[key], rest, drift);
  alter(value, key, drift);
  return true;
}

function alter(row: JsonObject, key: string, drift: Drift): void {
  const old = row[key];
  if (drift.change === "null") row[key] = null;
  else if (drift.change === "retype") row[key] = retyped(old);
  else {
    delete row[key];
    if (drift.change === "rename") row[drift.to ?? `${key}_v2`] = old;
  }
}

/**
 * Turns a number into text, numeric text into a number and anything else into text: the confusions seen when a field
 * changes type.
 */
function retyped(value: unknown): unknown {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return value === null ? {} : JSON.stringify(value);
  const number = Number(value);
  return value !== "" && Number.isSafeInteger(Math.trunc(number)) ? number : [value];
}

/**
 * Shifts the server timestamps in a parsed frame or response by seconds, in place. Times of trades and blocks are
 * unchanged.
 */
export function skewStamps(value: unknown, endpoint: FaultEndpoint, seconds: number): boolean {
  if (Array.isArray(value)) return value.map((each) => skewStamps(each, endpoint, seconds)).some(Boolean);
  if (!isJsonObject(value)) return false;
  if (endpoint === "kalshi_ws") return skewKalshi(value, seconds);
  if (endpoint === "jetstream") return move(value, ["time_us"], seconds);
  return value["event_type"] === "last_trade_price" ? false : move(value, ["timestamp"], seconds);
}

function skewKalshi(frame: JsonObject, seconds: number): boolean {
  const body = frame["msg"];
  const isOwn = frame["type"] === "orderbook_delta";
  const isStamped = move(frame, ["sending_ts_ms"], seconds);
  return isOwn && isJsonObject(body) ? move(body, ["ts", "ts_ms"], seconds) || isStamped : isStamped;
}

function move(target: JsonObject, keys: readonly string[], seconds: number): boolean {
  const present = keys.filter((key) => target[key] !== undefined);
  for (const key of present) target[key] = moved(target[key], seconds);
  return present.length > 0;
}

/** Shifts a timestamp in seconds, milliseconds or ISO form, as number or text, and keeps that form. */
function moved(stamp: unknown, seconds: number): unknown {
  const number = Number(stamp);
  if (Number.isNaN(number)) {
    const ms = Date.parse(String(stamp));
    return Number.isNaN(ms) ? stamp : new Date(ms + seconds * 1000).toISOString();
  }
  // Seconds have ten digits until the year 2286.
  const scale = number > 1e14 ? 1_000_000 : number > 1e11 ? 1000 : 1;
  const later = number + Math.round(seconds * scale);
  return typeof stamp === "string" ? String(later) : later;
}
