import type { z } from "zod";
import { rowMarkOf, type RowKey, type RowReading, type RawRow } from "./rows-of.ts";
import { shortJson, fieldText, wrongShape, type WrongShape } from "./wrong-shape.ts";

/** Unix ms. `isOpen`: the row is at an edge of its page and may lie outside the span on either side. */
export type RowSpan = { readonly from: number; readonly to: number; readonly isOpen?: true };

/** A row of a page that could not be parsed. */
export type RefusedRow = {
  /** Its position, e.g. `trades[3]`. */
  readonly position: string;
  /** The time span it lies in: its own timestamp, else that between its neighbours; undefined if none has one. */
  readonly span: RowSpan | undefined;
  readonly key: RowKey | undefined;
  readonly instrument: string | undefined;
  /** The row as short JSON, which identifies it where it has no key. */
  readonly text: string;
};

export type ReadPage<T> =
  | { readonly kind: "whole"; readonly data: T }
  | { readonly kind: "partial"; readonly data: T; readonly refused: readonly RefusedRow[]; readonly wrong: WrongShape }
  | { readonly kind: "refused"; readonly wrong: WrongShape };

type Place = { readonly list: readonly PropertyKey[]; readonly index: number; readonly reading: RowReading };

/** With at least this many rows and none valid, the page's format changed, not a single row. */
const ALL_WRONG = 4;
const TEXT = 2000;
const kept = new WeakMap<object, readonly RefusedRow[]>();

/** The rows omitted from a reply the feed returned; empty for one that was read completely. */
export function refusedOf(data: unknown): readonly RefusedRow[] {
  return typeof data === "object" && data !== null ? (kept.get(data) ?? []) : [];
}

/**
 * Parses a page. Where only rows of lists made by `rowsOf` are invalid, these (with the rest of their groups) are
 * omitted and reported; a page without a valid row is invalid itself.
 */
export function readPage<T extends z.ZodType>(schema: T, value: unknown): ReadPage<z.output<T>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { kind: "whole", data: parsed.data };
  const wrong = wrongShape(parsed.error, value);
  const places = placesOf(parsed.error);
  if (places === undefined || isAllWrong(places, value)) return { kind: "refused", wrong };
  const all = withGroups(places, value);
  const again = schema.safeParse(without(all, value));
  if (!again.success) return { kind: "refused", wrong };
  const refused = [...byList(all).values()].flatMap((some) => describe(some, value));
  if (typeof again.data === "object" && again.data !== null) kept.set(again.data, refused);
  return { kind: "partial", data: again.data, refused, wrong };
}

function placesOf(error: z.ZodError): Place[] | undefined {
  const places = new Map<string, Place>();
  for (const issue of error.issues) {
    const mark = rowMarkOf(issue);
    if (mark === undefined) return undefined;
    const path = issue.path.slice(0, issue.path.length - mark.depth);
    const index = path.at(-1);
    if (typeof index !== "number") return undefined;
    places.set(fieldText(path), { list: path.slice(0, -1), index, reading: mark.reading });
  }
  return [...places.values()];
}

function isAllWrong(places: readonly Place[], value: unknown): boolean {
  const lists = byList(places);
  return [...lists.values()].every(([first, ...rest]) => {
    const length = first === undefined ? 0 : itemsAt(value, first.list).length;
    return length >= ALL_WRONG && rest.length + 1 === length;
  });
}

/** Adds the rows that share a group with an invalid one. */
function withGroups(places: readonly Place[], value: unknown): Place[] {
  return [...byList(places).values()].flatMap((some) => {
    const [first] = some;
    const group = first?.reading.group;
    if (first === undefined || group === undefined) return some;
    const items = itemsAt(value, first.list);
    const groups = new Set(some.flatMap(({ index }) => group(asRow(items[index])) ?? []));
    const wrong = new Set(some.map(({ index }) => index));
    const others = items.flatMap((item, index) =>
      !wrong.has(index) && groups.has(group(asRow(item)) ?? "")
        ? [{ list: first.list, index, reading: first.reading }]
        : [],
    );
    return some.concat(others);
  });
}

function byList(places: readonly Place[]): Map<string, Place[]> {
  const lists = new Map<string, Place[]>();
  for (const place of places) {
    const name = fieldText(place.list);
    const some = lists.get(name);
    if (some === undefined) lists.set(name, [place]);
    else some.push(place);
  }
  return lists;
}

/** The page without these rows; the others stay the same objects, so that their cached parse results apply. */
function without(places: readonly Place[], value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  const gone = new Set<number>();
  const inside = new Map<PropertyKey, Place[]>();
  for (const place of places) {
    const key = place.list[depth];
    if (key === undefined) gone.add(place.index);
    else
      inside
        .set(key, inside.get(key) ?? [])
        .get(key)
        ?.push(place);
  }
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<PropertyKey, unknown>;
  for (const [key, some] of inside) copy[key] = without(some, copy[key], depth + 1);
  return Array.isArray(copy) ? copy.filter((_, index) => !gone.has(index)) : copy;
}

/** Describes refused rows of one list. */
function describe(places: readonly Place[], value: unknown): RefusedRow[] {
  const [first] = places;
  if (first === undefined) return [];
  const { list, reading } = first;
  const items = itemsAt(value, list);
  const owner = asRow(valueAt(value, list.slice(0, -1)));
  const timestamps = items.map((item) => sure(() => reading.at?.(asRow(item), owner)));
  const before = lastKnown(timestamps);
  const after = lastKnown(timestamps.toReversed()).toReversed();
  return places.map(({ index }) => {
    const raw = asRow(items[index]);
    const own = timestamps[index];
    return {
      position: fieldText([...list, index]),
      span: own === undefined ? between(before[index], after[index]) : { from: own, to: own },
      key: sure(() => keyOf(reading.key, raw, owner)),
      instrument: sure(() => reading.instrument?.(raw, owner)),
      text: shortJson(items[index], TEXT),
    };
  });
}

function keyOf(columns: RowReading["key"], raw: RawRow, owner: RawRow): RowKey | undefined {
  if (columns === undefined) return undefined;
  const key = Object.entries(columns).map(([column, read]) => [column, read(raw, owner)] as const);
  return key.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(key) as RowKey);
}

/** For each index the nearest timestamp at or before it. */
function lastKnown(timestamps: readonly (number | undefined)[]): (number | undefined)[] {
  let last: number | undefined;
  return timestamps.map((timestamp) => (last = timestamp ?? last));
}

/** The span between the nearest rows before and after that have timestamps. */
function between(before: number | undefined, after: number | undefined): RowSpan | undefined {
  const one = before ?? after;
  if (one === undefined) return undefined;
  const other = after ?? one;
  const span = { from: Math.min(one, other), to: Math.max(one, other) };
  return before === undefined || after === undefined ? { ...span, isOpen: true } : span;
}

/** Reads from an invalid row, where anything may fail: undefined instead of an error. */
function sure<T>(read: () => T | undefined): T | undefined {
  try {
    const found = read();
    return typeof found === "number" && !Number.isFinite(found) ? undefined : found;
  } catch {
    return undefined;
  }
}

/** The value at a path of an unparsed reply. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) found = (found as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return found;
}

/** The list at a path; empty if there is none. */
function itemsAt(value: unknown, path: readonly PropertyKey[]): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

function asRow(value: unknown): RawRow {
  return typeof value === "object" && value !== null ? (value as RawRow) : {};
}
