import type { FaultDoor } from "./fault-door.ts";
import { isJsonObject, type JsonObject } from "./json-object.ts";

/**
 * Shifts the server timestamps in a parsed frame or response by seconds, in place. Times of trades and blocks are
 * unchanged.
 */
export function skewStamps(value: unknown, door: FaultDoor, seconds: number): boolean {
  if (Array.isArray(value)) return value.map((each) => skewStamps(each, door, seconds)).some(Boolean);
  if (!isJsonObject(value)) return false;
  if (door === "kalshi_ws") return skewKalshi(value, seconds);
  if (door === "jetstream") return move(value, ["time_us"], seconds);
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
