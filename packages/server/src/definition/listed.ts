import type { Given, OrderKey, Params } from "./dataset.ts";
import { hexOf } from "./filter.ts";
import { name, sql, type Bound, type Sql } from "./sql.ts";
import type { TableDefinition } from "./table.ts";

/** What a list keeps of a column of each row, by which rows are found and ordered. */
export type ListedColumn =
  /** Rows are found by the text; of a hash it is the 0x-hex. */
  | { readonly kind: "text"; readonly form?: "hash" | "lowered" }
  /** Rows are found by each text of an array, in lower case. */
  | { readonly kind: "texts" }
  /** Rows are found by the beginnings of words, of a column made by `stored.words`. */
  | { readonly kind: "words" }
  /** One of few texts, at which rows are looked one by one. */
  | { readonly kind: "label"; readonly form?: "lowered" }
  /** A decimal of six places. */
  | { readonly kind: "amount" }
  /** A moment of seconds or microseconds. Rows without one are ordered as if it were 1970. */
  | { readonly kind: "moment" };

/** A condition on a column of a list; rows without a value do not meet it. */
export type ListedTest =
  /** The text, or one of the texts, is one of these. Where no row at all has any of them `orElse` is the condition. */
  | { readonly column: string; readonly oneOf: readonly string[]; readonly orElse?: ListedTest }
  /** Each of these begins a word; no row meets it without any. */
  | { readonly column: string; readonly words: readonly string[] }
  /** The label is this one, or begins with it and a slash between blanks. */
  | { readonly column: string; readonly path: string }
  /** Of an amount as decimal text, of a moment as it is bound. Both inclusive. */
  | { readonly column: string; readonly least: string }
  | { readonly column: string; readonly most: string };

/**
 * How a dataset over a table with versions is answered from a list of its rows that is held in the process, in the same
 * bytes and order as by its query, which answers where the list does not. Fields are columns of the table, and their raw
 * and typed forms are one.
 */
export type Listed<P extends Params = Params> = {
  readonly table: TableDefinition;
  /** The column of texts that tells rows apart: the last key of every order, ascending. */
  readonly unique: string;
  readonly columns: Readonly<Record<string, ListedColumn>>;
  /** As in the query: the unique key, or a column and the unique key. */
  readonly order: (given: Given<P>) => readonly OrderKey[];
  readonly tests: (given: Given<P>) => readonly (ListedTest | undefined)[];
  /**
   * The parameter whose words are looked for in a column of words, where none of its items is a text of `elseOf`: words
   * that are in no row give way to those nearly spelt like them, for the query too.
   */
  readonly searched?: { readonly param: keyof P & string; readonly column: string; readonly elseOf?: string };
};

/** The texts of a list parameter are the only ones. */
export const oneOf = (column: string, list: Bound | undefined): ListedTest | undefined =>
  list && { column, oneOf: list.value as readonly string[] };

/** Between two parameters, both inclusive. */
export const between = (
  column: string,
  least: Bound | undefined,
  most: Bound | undefined,
): (ListedTest | undefined)[] => [
  least && { column, least: String(least.value) },
  most && { column, most: String(most.value) },
];

/** A text parameter in lower case, as the engine's lowerUTF8 has it. */
export const lowered = (value: Bound): string => String(value.value).toLowerCase();

/** What of a column is read into the list: null, or a text or texts. */
export function listedSql(column: string, { kind, ...rest }: ListedColumn): Sql {
  const value = name(column);
  if (kind === "amount") return sql`toString(${value})`;
  if (kind === "moment") return sql`toString(toUnixTimestamp64Micro(toDateTime64(${value}, 6, 'UTC')))`;
  if (kind === "texts") return sql`arrayMap(one -> lowerUTF8(one), ${value})`;
  const form = "form" in rest ? rest.form : undefined;
  if (form === "hash") return hexOf(value);
  return form === "lowered" ? sql`lowerUTF8(${value})` : sql`toString(${value})`;
}
