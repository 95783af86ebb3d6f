import type { Given, OrderKey, Params } from "./dataset.ts";
import { hexOf } from "./filter.ts";
import { name, sql, type Bound, type Sql } from "./sql.ts";
import type { TableDefinition } from "./table.ts";

/** How a list indexes a column of its rows, for filters and order. */
export type ListedColumn =
  /** Rows are found by the text; for a hash it is 0x-hex. */
  | { readonly kind: "text"; readonly form?: "hash" | "lowered" }
  /** Rows are found by each text of an array, in lower case. */
  | { readonly kind: "texts" }
  /** Rows are found by word prefixes, in a column made by `stored.words`. */
  | { readonly kind: "words" }
  /** One of a few texts; rows are tested one by one. */
  | { readonly kind: "label"; readonly form?: "lowered" }
  /** A decimal of six places. */
  | { readonly kind: "amount" }
  /** A timestamp in seconds or microseconds. Rows without one sort as if it were 1970. */
  | { readonly kind: "moment" };

/** A condition on a column of a list; rows without a value do not meet it. */
export type ListedTest =
  /** The text, or one of the texts, is one of these. If no row at all has any of them, `orElse` applies instead. */
  | { readonly column: string; readonly oneOf: readonly string[]; readonly orElse?: ListedTest }
  /** Each of these is a prefix of a word; an empty list matches no row. */
  | { readonly column: string; readonly words: readonly string[] }
  /** The label equals this one, or begins with it followed by " / ". */
  | { readonly column: string; readonly path: string }
  /** For an amount as decimal text, for a timestamp as it is bound. Both inclusive. */
  | { readonly column: string; readonly least: string }
  | { readonly column: string; readonly most: string };

/**
 * How a dataset over a table with versions is answered from an in-memory list of its rows, byte for byte and in the
 * same order as by its query, which is the fallback. Fields are columns of the table, and their raw and typed forms are
 * the same.
 */
export type Listed<P extends Params = Params> = {
  readonly table: TableDefinition;
  /** The unique text column: the last key of every order, ascending. */
  readonly unique: string;
  readonly columns: Readonly<Record<string, ListedColumn>>;
  /** As in the query: the unique key, or a column and the unique key. */
  readonly order: (given: Given<P>) => readonly OrderKey[];
  readonly tests: (given: Given<P>) => readonly (ListedTest | undefined)[];
  /**
   * The parameter whose words are searched in a column of words, unless one of its items is a text of `elseOf`: words
   * found in no row are replaced by the nearest spelling, for the query too.
   */
  readonly searched?: { readonly param: keyof P & string; readonly column: string; readonly elseOf?: string };
};

/** Test that a column's text is one of a list parameter's items. */
export const oneOf = (column: string, list: Bound | undefined): ListedTest | undefined =>
  list && { column, oneOf: list.value as readonly string[] };

/** Tests for a value between two parameters, both inclusive. */
export const between = (
  column: string,
  least: Bound | undefined,
  most: Bound | undefined,
): (ListedTest | undefined)[] => [
  least && { column, least: String(least.value) },
  most && { column, most: String(most.value) },
];

/** A text parameter in lower case, as the engine's lowerUTF8 gives it. */
export const lowered = (value: Bound): string => String(value.value).toLowerCase();

/** SQL for the part of a column that the list reads: null, a text or texts. */
export function listedSql(column: string, { kind, ...rest }: ListedColumn): Sql {
  const value = name(column);
  if (kind === "amount") return sql`toString(${value})`;
  if (kind === "moment") return sql`toString(toUnixTimestamp64Micro(toDateTime64(${value}, 6, 'UTC')))`;
  if (kind === "texts") return sql`arrayMap(one -> lowerUTF8(one), ${value})`;
  const form = "form" in rest ? rest.form : undefined;
  if (form === "hash") return hexOf(value);
  return form === "lowered" ? sql`lowerUTF8(${value})` : sql`toString(${value})`;
}
