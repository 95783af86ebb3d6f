/** The largest second a column can hold (32 bits). */
export const LAST_SECOND = 4_294_967_295;

/** A column of a served table: its kind decides the encoding. */
export type ServedColumn =
  /**
   * Seconds since 1970, 32 bits. `of`: "day" is the first second of a UTC day; "maybe" a nullable timestamp, with null
   * as 0; "none" is 0 in every row, for a table without a timestamp, which has one row per key.
   */
  | { readonly kind: "seconds"; readonly of?: "day" | "maybe" | "none" }
  /** 32 bytes, as 0x-hex. */
  | { readonly kind: "hash" }
  /** 20 bytes, as 0x-hex. */
  | { readonly kind: "wallet" }
  /** A 256-bit integer as decimal text; stored as its number in the dictionary. */
  | { readonly kind: "token" }
  /** A 256-bit integer as decimal text, stored in full: rows can be sorted by it. */
  | { readonly kind: "integer" }
  /** Decimal text of up to six decimals, or null where `nullable`. `signed`: many are below 0. */
  | { readonly kind: "money"; readonly nullable?: true; readonly signed?: true }
  /** A whole number below 2^53. `near`: consecutive rows have similar values. */
  | { readonly kind: "count"; readonly near?: true }
  /** A timestamp in milliseconds or microseconds since 1970. */
  | { readonly kind: "millis" | "micros" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "flag" }
  | { readonly kind: "text" }
  /**
   * Comma-separated decimal numbers. Tokens are stored as their numbers in the dictionary; a book level is its price
   * and size separated by a space.
   */
  | { readonly kind: "list"; readonly of?: "tokens" | "levels" };

export type ServedTable = {
  readonly name: string;
  readonly columns: Readonly<Record<string, ServedColumn>>;
  /**
   * Order of the rows: a timestamp (of kind "none" where the table has none), then up to six columns of any kind but
   * tokens and timestamps. Together with the key, where there is no time order, it identifies a row.
   */
  readonly sort: readonly [string, ...string[]];
  /** Whether there is a time order in addition to the keys; without it there is exactly one key. */
  readonly byTime?: boolean;
  /** Key columns of the index: wallets, hashes, tokens, integers or texts. */
  readonly keys: readonly string[];
  /** The column with the time a row was stored, in microseconds since 1970. */
  readonly storedAt: string;
  /** A changed row is stored again, and the last stored one wins. Such a table has a single order. */
  readonly isVersioned?: true;
  /** Only stored rows with this number in a column are indexed. */
  readonly only?: { readonly column: string; readonly is: number };
  /** Index bytes per row in all its trees, with some margin. */
  readonly rowBytes: number;
  /** Number of days up to the newest row that are indexed and verified against the store; all when absent. */
  readonly maxDays?: number;
};
