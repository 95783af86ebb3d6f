import { slicesOf } from "./slices.ts";
import { bind, fromDefinition, joined, name, sql, type Bound, type Sql } from "./sql.ts";

/** How ids are stored: as bytes (shown as 0x-hex), as a 256-bit integer, or as text. */
export type IdKind = "wallet" | "condition" | "token" | "text";

const STORED: Readonly<Record<IdKind, (value: Sql | Bound) => Sql>> = {
  wallet: (value) => sql`toFixedString(unhex(substring(${value}, 3)), 20)`,
  condition: (value) => sql`toFixedString(unhex(substring(${value}, 3)), 32)`,
  token: (value) => sql`toUInt256(${value})`,
  text: (value) => sql`${value}`,
};

/** The engine accepts 131,072 characters per value: this many ids of 32 bytes, or texts of up to as many characters. */
const IDS_A_TEXT = 1000;

/** A list of texts without commas, each up to 120 characters; sent joined, cheaper than an array of thousands. */
export function textsSql(all: readonly string[]): Sql {
  const texts = slicesOf(all, IDS_A_TEXT).map((some) => sql`splitByChar(',', ${bind("String", some.join(","))})`);
  return texts.length === 0 ? sql`emptyArrayString()` : sql`arrayConcat(${joined(texts, sql`, `)})`;
}

/** A subquery of these ids (0x-hex), each of `bytes` bytes. */
export function idsSql(ids: readonly string[], bytes: number): Sql {
  return sql`SELECT toFixedString(unhex(arrayJoin(${textsSql(ids.map((id) => id.slice(2)))})), ${fromDefinition(String(bytes))})`;
}

/** Whether the column, of `bytes` bytes, holds one of these ids (0x-hex). */
export const isOneOf = (column: Sql, ids: readonly string[], bytes: number): Sql =>
  sql`${column} IN (${idsSql(ids, bytes)})`;

/** Up to this many ids are read separately, each in its own order (the engine stops early); more are read together. */
const MAX_BRANCHES = 8;

/** `column IN (the ids of a list parameter)`, in a form with which the engine can prune. */
export function isIn(column: string, kind: IdKind, list: Bound): Sql {
  const only = itemsOf(list);
  if (only.length === 1 && only[0]) return sql`${name(column)} = ${STORED[kind](only[0])}`;
  return sql`${name(column)} IN (SELECT ${STORED[kind](sql`arrayJoin(${list})`)})`;
}

/** One condition per id, or a single one for long lists. */
export function branchesOf(column: string, kind: IdKind, list: Bound): Sql[] {
  const items = itemsOf(list);
  if (items.length > MAX_BRANCHES) return [isIn(column, kind, list)];
  return items.map((item) => sql`${name(column)} = ${STORED[kind](item)}`);
}

/** A list parameter's items, each as a bound value. */
export function itemsOf(list: Bound): Bound[] {
  const type = /^Array\((.*)\)$/.exec(list.type)?.[1];
  if (type === undefined || !Array.isArray(list.value)) throw new TypeError("not a list parameter");
  return [...new Set(list.value as string[])].map((value) => bind(type, value));
}

/**
 * Whether every word of the text is a prefix of a word in the column's prepared words (see stored.words). A text
 * without searchable words matches nothing.
 */
export function hasWords(column: Sql, text: Bound): Sql {
  const words = searchedWords(String(text.value));
  if (words.length === 0) return sql`0`;
  return joined(
    words.map((word) => sql`${column} LIKE ${bind("String", `% ${word}%`)}`),
    sql` AND `,
  );
}

/** Conditions for timestamps between two parameters, both inclusive. */
export function within(column: Sql, from: Bound | undefined, to: Bound | undefined): Sql[] {
  return [...(from ? [sql`${column} >= ${from}`] : []), ...(to ? [sql`${column} <= ${to}`] : [])];
}

/** How an order key, bound as text, is converted to the stored value. */
export const storedAs = {
  text: (value: Bound): Sql => sql`${value}`,
  wallet: STORED.wallet,
  hash: STORED.condition,
  token: STORED.token,
  day: (value: Bound): Sql => sql`toDate(substring(${value}, 1, 10))`,
  seconds: (value: Bound): Sql => sql`parseDateTimeBestEffort(${value}, 'UTC')`,
  micros: (value: Bound): Sql => sql`parseDateTime64BestEffort(${value}, 6, 'UTC')`,
  millis: (value: Bound): Sql => sql`parseDateTime64BestEffort(${value}, 3, 'UTC')`,
  decimal: (value: Bound): Sql => sql`toDecimal64(${value}, 6)`,
  integer: (value: Bound): Sql => sql`toInt64(${value})`,
} as const;

/** 0x and the bytes in lower-case hex. */
export const hexOf = (column: Sql): Sql => sql`concat('0x', lower(hex(${column})))`;

/** The words of a text as `stored.words` keeps them: runs of letters and digits, lower-cased. */
export const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .toLowerCase()
    .trim()
    .split(" ")
    .filter((word) => word !== "");

/** Maximum number of words in a search: longer texts are refused. */
export const MAX_WORDS = 50;

/** The distinct words of a search; none for a text with more than the maximum, which is a long list of slugs. */
export function searchedWords(text: string): string[] {
  const words = [...new Set(wordsOf(text))];
  return words.length > MAX_WORDS ? [] : words;
}

/** Whether a day (an expression of type Date) is among the given days (`Array(Date)`). */
export const amongDays = (day: Sql, days: Bound): Sql => sql`${day} IN (SELECT arrayJoin(${days}))`;
