import type { Fault } from "./fault.ts";
import { isJsonObject, type JsonObject } from "./json-object.ts";

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
