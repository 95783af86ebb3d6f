import type { RawRow } from "./rows-of.ts";

/** What stands at a path in an unparsed answer. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) found = (found as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return found;
}

/** The list at a path; empty where none stands there. */
export function itemsAt(value: unknown, path: readonly PropertyKey[]): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

export function asRow(value: unknown): RawRow {
  return typeof value === "object" && value !== null ? (value as RawRow) : {};
}
