import type { Given, OrderKey, Params } from "./dataset.ts";
import type { IdKind } from "./filter.ts";
import type { ServedTable } from "./served.ts";
import type { Bound } from "./sql.ts";
import type { TableDefinition } from "./table.ts";

/** A condition on a column of a served row. Values are given in stored form: words, 0x-hex, exact decimals. */
export type ServedTest =
  | { readonly column: string; readonly oneOf: readonly string[] }
  | { readonly column: string; readonly least: string }
  | { readonly column: string; readonly most: string };

/** A served row, by column name. */
export type ServedRow = {
  /** 0x-hex, a word, decimal text or a number, by the column's kind. */
  readonly value: (column: string) => string | number | null;
  /** Money in millionths. */
  readonly micros: (column: string) => number | bigint;
};

/** How a field of the response is produced from a served row, byte for byte as the engine prints the query's. */
export type ServedField =
  | { readonly column: string; readonly nullIf?: ServedTest }
  /** An amount multiplied by a constant. */
  | { readonly column: string; readonly times: number }
  /** The exact product of two amounts. */
  | { readonly product: readonly [string, string] }
  | { readonly where: ServedTest; readonly met: ServedField; readonly unmet: ServedField }
  /** The quotient of two columns as floats, 0 where the divisor is 0. */
  | { readonly ratio: readonly [over: string, under: string] }
  /** JSON built from the row, as the engine prints it. */
  | { readonly json: (row: ServedRow) => string }
  /** A separate field for each response format. */
  | { readonly raw: ServedField; readonly typed: ServedField }
  /** An attribute from the dictionary of `tokens` for the row's token; null if it has none. */
  | { readonly ofToken: string }
  /** Two byte columns joined by an underscore; where `instead.where` holds, `instead.hex` (0x-hex) is the second. */
  | {
      readonly pair: readonly [string, string];
      readonly instead?: { readonly where: ServedTest; readonly hex: (row: ServedRow) => string };
    };

export type ServedSearch = {
  /** Key column of the index to read (or either of two) and the requested values; the time order if absent. */
  readonly by?: { readonly column: string; readonly orColumn?: string; readonly values: readonly string[] } | undefined;
  /** Timestamps, both inclusive. */
  readonly from?: Bound | undefined;
  readonly to?: Bound | undefined;
  readonly tests: readonly ServedTest[];
};

type MaybeSearch = ServedSearch | undefined;

/** The tokens for which a column of the token table holds one of the ids of a list parameter. */
export type TokensOf = (column: string, kind: IdKind, list: Bound) => Promise<readonly string[]>;

/**
 * How a dataset is answered from the serving index (rows by key), byte for byte and in the same order as by its query,
 * which is the fallback.
 */
export type Served<P extends Params = Params> = {
  readonly table: ServedTable;
  /** Excludes computed answers: see ServedBuckets and ServedKeyed. */
  readonly minutes?: never;
  readonly tables?: never;
  /** The table whose dictionary describes each row's token (for a list, the first). */
  readonly tokens?: TableDefinition;
  /** Rows without a token. */
  readonly withoutToken?: ServedTest;
  /** As in the query; its keys are the table's `sort` columns, newest first. */
  readonly order: readonly OrderKey[];
  /** A field missing here is the column of its name. */
  readonly fields: Readonly<Record<string, ServedField>>;
  /** Returns undefined where the engine must answer. */
  readonly search: (given: Given<P>, tokensOf: TokensOf) => MaybeSearch | Promise<MaybeSearch>;
};
