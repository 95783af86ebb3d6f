/** A column of a served table: what it holds decides how its values are kept. */
export type ServedColumn =
  /** Seconds since 1970, of 32 bits. */
  | { readonly kind: "seconds" }
  /** 32 bytes, as 0x-hex. */
  | { readonly kind: "hash" }
  /** 20 bytes, as 0x-hex. */
  | { readonly kind: "wallet" }
  /** A 256-bit integer as decimal text; its number in the dictionary is kept. */
  | { readonly kind: "token" }
  /** Decimal text of up to six places. */
  | { readonly kind: "money" }
  /** A whole number below 2^53. `near`: rows that follow each other have like values. */
  | { readonly kind: "count"; readonly near?: true }
  /** A moment in microseconds since 1970. */
  | { readonly kind: "micros" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "text" };

export type ServedTable = {
  readonly name: string;
  readonly columns: Readonly<Record<string, ServedColumn>>;
  /** Identity and order of the rows: a column of seconds, then two of bytes (hash or wallet). */
  readonly sort: readonly [string, string, string];
  /** Columns by which the rows are held as well as by time: wallets, hashes, tokens or texts. */
  readonly keys: readonly string[];
};
