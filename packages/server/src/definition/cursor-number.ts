import type { Cursor } from "./connector.ts";

/** A number saved in a cursor; undefined if absent. */
export function cursorNumber(cursor: Cursor | undefined, field: string): number | undefined {
  const value = cursor?.[field];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A text saved in a cursor; undefined if absent. */
export function cursorText(cursor: Cursor | undefined, field: string): string | undefined {
  const value = cursor?.[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}
