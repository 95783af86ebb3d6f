import type { Cursor } from "../../../definition/connector.ts";
import { cursorText } from "../../../definition/cursor-number.ts";

/** The longest query accepted, and the number of queries in rotation. */
const MAX_LENGTH = 512;
const MAX_QUERIES = 4;
/** Reposts would be billed like posts. */
const REST = "lang:en -is:retweet";

/** As few queries as contain the terms, most traded first, each an OR of phrases. */
export function toQueries(terms: readonly string[]): readonly string[] {
  const queries: string[] = [];
  let phrases: string[] = [];
  for (const phrase of terms.flatMap(toPhrase)) {
    if (phrases.length > 0 && written([...phrases, phrase]).length > MAX_LENGTH) {
      queries.push(written(phrases));
      phrases = [];
    }
    if (written([phrase]).length <= MAX_LENGTH) phrases.push(phrase);
    if (queries.length === MAX_QUERIES) return queries;
  }
  return phrases.length > 0 ? [...queries, written(phrases)] : queries;
}

const written = (phrases: readonly string[]): string => `(${phrases.join(" OR ")}) ${REST}`;

function toPhrase(term: string): string[] {
  const text = term.replaceAll(/["\\]/g, " ").replaceAll(/\s+/g, " ").trim();
  return /[\p{L}\p{N}]/u.test(text) ? [`"${text}"`] : [];
}

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
