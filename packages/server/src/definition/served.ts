/** The last of the seconds that a column holds. */
export const LAST_SECOND = 4_294_967_295;

/** A column of a served table: what it holds decides how its values are kept. */
export type ServedColumn =
  /**
   * Seconds since 1970, of 32 bits. `of`: of a UTC day its first one; of a moment that may be null, which is 0; or of
   * none, 0 in every row, where the table has no such column and a key has one row.
   */
  | { readonly kind: "seconds"; readonly of?: "day" | "maybe" | "none" }
  /** 32 bytes, as 0x-hex. */
  | { readonly kind: "hash" }
  /** 20 bytes, as 0x-hex. */
  | { readonly kind: "wallet" }
  /** A 256-bit integer as decimal text; its number in the dictionary is kept. */
  | { readonly kind: "token" }
  /** A 256-bit integer as decimal text, kept whole: rows can be sorted by it. */
  | { readonly kind: "integer" }
  /** Decimal text of up to six places, or null where it is `nullable`. `signed`: many are below 0. */
  | { readonly kind: "money"; readonly nullable?: true; readonly signed?: true }
  /** A whole number below 2^53. `near`: rows that follow each other have like values. */
  | { readonly kind: "count"; readonly near?: true }
  /** A moment in milliseconds or microseconds since 1970. */
  | { readonly kind: "millis" | "micros" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "flag" }
  | { readonly kind: "text" }
  /**
   * Numbers as their decimal texts with commas between. Of tokens their numbers in the dictionary are kept; a level of a
   * book is its price and its size with a blank between.
   */
  | { readonly kind: "list"; readonly of?: "tokens" | "levels" };

export type ServedTable = {
  readonly name: string;
  readonly columns: Readonly<Record<string, ServedColumn>>;
  /**
   * Order of the rows: a moment (where the table has none, one of none), then up to six columns of any kind but tokens
   * and moments. With the key where they are not held by time it says which row is which.
   */
  readonly sort: readonly [string, ...string[]];
  /** The rows are held by time too. Where they are not there is one key. */
  readonly byTime?: boolean;
  /** Columns by which the rows are held: wallets, hashes, tokens, integers or texts. */
  readonly keys: readonly string[];
  /** The column that tells when a row was stored, in microseconds since 1970. */
  readonly storedAt: string;
  /** A row is stored again where it changed: the one stored last counts. Such rows are held in one way only. */
  readonly isVersioned?: true;
  /** Of the stored rows those alone are held that have this number in a column. */
  readonly only?: { readonly column: string; readonly is: number };
  /** Of an index, for a row in all its trees, with some room. */
  readonly rowBytes: number;
  /** So many days up to the newest row are held where it is built, and compared with the store; all when absent. */
  readonly mostDays?: number;
};
