import type { Given, OrderKey, Params } from "./dataset.ts";
import type { IdKind } from "./filter.ts";
import type { ServedTable } from "./served.ts";
import type { Bound } from "./sql.ts";
import type { TableDefinition } from "./table.ts";

/** A condition on a column of a served row. Values are said as they are stored: words, 0x-hex, exact decimals. */
export type ServedTest =
  | { readonly column: string; readonly oneOf: readonly string[] }
  | { readonly column: string; readonly least: string }
  | { readonly column: string; readonly most: string };

/** A served row, by the names of its columns. */
export type ServedRow = {
  /** 0x-hex, a word, a decimal text or a number, by the kind of the column. */
  readonly value: (column: string) => string | number | null;
  /** Money in millionths. */
  readonly micros: (column: string) => number | bigint;
};

/** How a field of the answer is made of a served row; the bytes are those that the engine prints of the query's. */
export type ServedField =
  | { readonly column: string; readonly nullIf?: ServedTest }
  /** An amount so many times. */
  | { readonly column: string; readonly times: number }
  /** Two amounts multiplied, exactly. */
  | { readonly product: readonly [string, string] }
  | { readonly where: ServedTest; readonly met: ServedField; readonly unmet: ServedField }
  /** The one over the other as floats, 0 where the other is 0. */
  | { readonly ratio: readonly [over: string, under: string] }
  /** JSON made of the row, as the engine prints it. */
  | { readonly json: (row: ServedRow) => string }
  /** Another one in each form of the row. */
  | { readonly raw: ServedField; readonly typed: ServedField }
  /** What the dictionary of `tokens` says of the row's token; null where it says nothing. */
  | { readonly ofToken: string }
  /** Two columns of bytes and an underscore between; where `instead` holds its 0x-hex stands for the second. */
  | {
      readonly pair: readonly [string, string];
      readonly instead?: { readonly where: ServedTest; readonly hex: (row: ServedRow) => string };
    };

export type ServedSearch = {
  /** A column by which the table is held, or either of two, and the values asked for; by time where there is none. */
  readonly by?: { readonly column: string; readonly orColumn?: string; readonly values: readonly string[] } | undefined;
  /** Moments, both inclusive. */
  readonly from?: Bound | undefined;
  readonly to?: Bound | undefined;
  readonly tests: readonly ServedTest[];
};

type MaybeSearch = ServedSearch | undefined;

/** The tokens of which a column of the table of tokens holds one of the ids of a list parameter. */
export type TokensOf = (column: string, kind: IdKind, list: Bound) => Promise<readonly string[]>;

/**
 * How a dataset is answered from rows held by their keys, in the same bytes and order as by its query, which answers
 * where these do not reach.
 */
export type Served<P extends Params = Params> = {
  readonly table: ServedTable;
  /** Not by arithmetic: see ServedBuckets and ServedKeyed. */
  readonly minutes?: never;
  readonly tables?: never;
  /** Has a dictionary that tells of the token of each row: of a list the first one. */
  readonly tokens?: TableDefinition;
  /** Rows that have none. */
  readonly withoutToken?: ServedTest;
  /** As in the query; its keys are the `sort` columns of the table, the newest first. */
  readonly order: readonly OrderKey[];
  /** A field that is not here is the column of its name. */
  readonly fields: Readonly<Record<string, ServedField>>;
  /** Undefined where the engine is to answer. */
  readonly search: (given: Given<P>, tokensOf: TokensOf) => MaybeSearch | Promise<MaybeSearch>;
};
