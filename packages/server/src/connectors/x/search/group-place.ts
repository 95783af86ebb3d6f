import type { Cursor } from "../../../definition/connector.ts";
import { cursorText } from "../../../definition/cursor-number.ts";

/**
 * Progress of a query. Results come newest first, so a walk that stops midway (the budget is spent) keeps its start
 * (`newest`) and its position (`until`), and resumes there.
 */
export type GroupPlace = {
  /** Posts up to this id are read. */
  readonly since?: string | undefined;
  readonly newest?: string | undefined;
  readonly until?: string | undefined;
  /** Start (ISO) of the walk under way, and the time up to which all is read. */
  readonly began?: string | undefined;
  readonly through?: string | undefined;
};

const FIELDS = ["since", "newest", "until", "began", "through"] as const;

export function placeOf(cursor: Cursor | undefined, group: number): GroupPlace {
  return Object.fromEntries(FIELDS.map((field) => [field, cursorText(cursor, `${field}_${group}`)]));
}

/** The cursor with an updated place of that group. */
export function withPlace(cursor: Cursor, group: number, place: GroupPlace): Cursor {
  const changed = FIELDS.map((field): [string, string | null] => [`${field}_${group}`, place[field] ?? null]);
  return { ...cursor, ...Object.fromEntries(changed) };
}
