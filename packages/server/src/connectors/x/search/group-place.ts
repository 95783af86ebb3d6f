import type { Cursor } from "../../../definition/connector.ts";
import { cursorText } from "../../../definition/cursor-number.ts";

/**
 * How far a question was walked. Answers come newest first, so a walk that stops in between (the money is spent) keeps
 * where it began (`newest`) and how far it came (`until`), and goes on from there.
 */
export type GroupPlace = {
  /** Posts up to this id are read. */
  readonly since?: string | undefined;
  readonly newest?: string | undefined;
  readonly until?: string | undefined;
  /** When (ISO) the walk under way began, and up to when all is read. */
  readonly began?: string | undefined;
  readonly through?: string | undefined;
};

const FIELDS = ["since", "newest", "until", "began", "through"] as const;

export function placeOf(cursor: Cursor | undefined, group: number): GroupPlace {
  return Object.fromEntries(FIELDS.map((field) => [field, cursorText(cursor, `${field}_${group}`)]));
}

/** The cursor with another place of that group. */
export function withPlace(cursor: Cursor, group: number, place: GroupPlace): Cursor {
  const changed = FIELDS.map((field): [string, string | null] => [`${field}_${group}`, place[field] ?? null]);
  return { ...cursor, ...Object.fromEntries(changed) };
}
