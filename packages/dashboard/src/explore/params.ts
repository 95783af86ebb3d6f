import { readDay } from "../read/read-day.ts";
import { showTimestamp } from "../read/value-text.ts";
import type { DatasetParam } from "./dataset.ts";

export type Control = "choice" | "flag" | "moment" | "day" | "list" | "number" | "id" | "zone" | "text";

const BY_TYPE: Readonly<Record<string, Control>> = {
  boolean: "flag",
  choice: "choice",
  moment: "moment",
  day: "day",
  number: "number",
  integer: "number",
  probability: "number",
  "wallet address": "id",
  "condition id": "id",
  "token id": "id",
  "slug or ticker": "id",
  "time zone": "zone",
};

/** The form control of a parameter. An unknown type gets a text control. */
export function controlOf(param: DatasetParam): Control {
  if (param.is_list) return "list";
  const known = BY_TYPE[param.type];
  if (known === "choice" && param.choices === null) return "text";
  return known ?? (param.choices === null ? "text" : "choice");
}

/** The type of one item of a list, e.g. "wallet address" of "list of wallet address". */
export function itemType(param: DatasetParam): string {
  return param.type.replace(/^list of /, "");
}

/** Parses the items of "a", "a,b" or "{a,b}", as the service does. */
export function readList(text: string): string[] {
  const inner = /^\{([\s\S]*)\}$/.exec(text.trim())?.[1] ?? text;
  return inner
    .split(",")
    .map((item) => item.trim().replace(/^"([\s\S]*)"$/, "$1"))
    .filter((item) => item !== "");
}

/** What a key pressed in a field of several values does to them; undefined: it only types. */
export function listKey(
  { key, isComposing }: { readonly key: string; readonly isComposing: boolean },
  draft: string,
): "add" | "take back" | undefined {
  // The input method uses the key, as Enter to accept its word.
  if (isComposing) return undefined;
  if (key === "," || key === "Enter") return "add";
  return key === "Backspace" && draft === "" ? "take back" : undefined;
}

/** Joins items as one text without duplicates. */
export function writeList(items: readonly string[]): string {
  return [...new Set(items)].join(",");
}

/** Whether a text means "no filter" for a parameter. */
export function isOff(param: DatasetParam, text: string): boolean {
  const off = new Set(param.off_values.map((value) => value.toLowerCase()));
  const requested = text.trim().toLowerCase();
  if (requested === "" || off.has(requested)) return true;
  if (!param.is_list) return false;
  const items = readList(text);
  return items.length > 0 && items.every((item) => off.has(item.toLowerCase()));
}

/**
 * The value that a parameter's list of choices shows for its text; "" for the default, or for no filter. Only the exact
 * spelling is a choice: a month is 1M, and a minute 1m.
 */
export function shownValue(param: DatasetParam, text: string): string {
  const trimmed = text.trim();
  if (trimmed === param.default) return "";
  if (param.choices?.includes(trimmed) === true || !isOff(param, trimmed)) return trimmed;
  return param.default === null || trimmed === "" ? "" : (param.off_values[0] ?? "");
}

const isSameWord = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The items to tick for a list of choices, each with whether it is in the text; what is no choice can be removed. */
export function tickedChoices(param: DatasetParam, text: string): { readonly item: string; readonly isOn: boolean }[] {
  const items = isOff(param, text) ? [] : readList(text);
  const choices = param.choices ?? [];
  const others = items.filter((item) => !choices.some((choice) => isSameWord(choice, item)));
  return [...choices, ...new Set(others)].map((item) => ({ item, isOn: items.some((one) => isSameWord(one, item)) }));
}

/** The text after an item of a list of choices was ticked or unticked. */
export function toggleChoice(param: DatasetParam, text: string, toggled: string): string {
  const items = isOff(param, text) ? [] : readList(text);
  const others = items.filter((item) => !isSameWord(item, toggled));
  return writeList(others.length < items.length ? others : [...items, toggled]);
}

const INVISIBLE = /[\u00a0\u200b-\u200f\u2028\u2029\u2060\ufeff]/g;
const FORMS: Readonly<Record<string, RegExp>> = {
  "wallet address": /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-f])/gi,
  "condition id": /(?<![0-9a-z])0x[0-9a-f]{64}(?![0-9a-f])/gi,
  "token id": /(?<![0-9a-z])[0-9]{20,78}(?![0-9a-z])/gi,
};

/** A part of a list of ids, also a wrong one: it must reach the service, which reports it. */
const LISTED: Readonly<Record<string, RegExp>> = {
  "wallet address": /^0x/i,
  "condition id": /^0x/i,
  "token id": /^\d{10,}$/,
};

/**
 * Extracts the intended value of a pasted text: the ids in it (also from a link or a quoted list) if the type has a
 * recognisable form, else the text without its surroundings.
 */
export function trimPasted(text: string, type: string): string {
  const clean = text.replace(INVISIBLE, " ").trim();
  const form = FORMS[type];
  const ids = form === undefined ? [] : (clean.match(form) ?? []);
  const parts = clean.split(/[\s,;"'`{}[\]]+/).filter((part) => part !== "");
  if (ids.length > 0) return writeList(parts.every((part) => LISTED[type]?.test(part)) ? parts : ids);
  return clean.replace(/^["'`]+|["'`,;]+$/g, "").trim();
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const LOCAL = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)$/;

/** A date-time input's value (in the user's zone) as ISO-8601 in UTC; undefined if it is not one. */
export function isoFromLocal(value: string): string | undefined {
  if (!LOCAL.test(value)) return undefined;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString().replace(".000Z", "Z");
}

/** Any accepted time as Unix milliseconds; undefined if the text is not one. For display only: the service decides. */
export function timestampMs(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^\d{13}$/.test(trimmed)) return Number(trimmed);
  if (/^\d{9,10}(\.\d+)?$/.test(trimmed)) return Number(trimmed) * 1000;
  if (readDay(trimmed.slice(0, 10)) === "") return undefined;
  const zoned = /T|\s/.test(trimmed) && !/(Z|[+-]\d{2}(:?\d{2})?)$/i.test(trimmed) ? `${trimmed}Z` : trimmed;
  const at = Date.parse(zoned.replace(" ", "T"));
  return Number.isNaN(at) ? undefined : at;
}

/** An accepted time as a date input shows its UTC day, which is what the service takes; empty if the text is not one. */
export function dayFromTimestamp(text: string): string {
  const ms = timestampMs(text);
  return ms === undefined ? "" : new Date(ms).toISOString().slice(0, 10);
}

/**
 * An accepted time in words, in the user's zone; undefined if the text is not one, or is a day alone: the service takes
 * its start or its end, whichever the parameter needs.
 */
export function timeInZone(text: string): string | undefined {
  const ms = timestampMs(text);
  return ms === undefined || DAY.test(text.trim()) ? undefined : showTimestamp(ms);
}

/** An accepted time as a date-time input shows it, in the user's zone; empty if the text is not one. */
export function localFromTimestamp(text: string): string {
  const ms = timestampMs(text);
  if (ms === undefined) return "";
  const offset = new Date(ms).getTimezoneOffset() * 60_000;
  const local = new Date(ms - offset).toISOString();
  return local.slice(0, local.endsWith("00.000Z") ? 16 : 19);
}
