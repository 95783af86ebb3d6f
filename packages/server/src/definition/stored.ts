import type { StoredColumn } from "./table.ts";

const plain = (stored: string, about: string, codec?: string): StoredColumn =>
  codec === undefined ? { stored, insert: stored, about } : { stored, insert: stored, about, codec };

const bytes = (length: number, about: string, codec: string): StoredColumn => ({
  stored: `FixedString(${length})`,
  insert: "String",
  store: (column) => `toFixedString(unhex(substring(${column}, 3)), ${length})`,
  codec,
  about,
});

const ZSTD = "ZSTD(1)";
const DELTA = "Delta, ZSTD(1)";

/** The kinds of stored columns. Money and shares are decimals of six places, sent as strings. */
export const stored = {
  text: (about: string) => plain("String", about, ZSTD),
  label: (about: string) => plain("LowCardinality(String)", about),
  maybeLabel: (about: string) => plain("LowCardinality(Nullable(String))", about),
  maybeText: (about: string) => plain("Nullable(String)", about, ZSTD),
  texts: (about: string) => plain("Array(String)", about, ZSTD),
  flag: (about: string) => plain("Bool", about),
  /** 32 bytes, sent as 0x-hex. */
  hash: (about: string) => bytes(32, about, "LZ4"),
  /** 32 bytes that repeat (a condition id), sent as 0x-hex. */
  condition: (about: string) => bytes(32, about, ZSTD),
  /** 20 bytes, sent as 0x-hex. */
  wallet: (about: string) => bytes(20, about, ZSTD),
  /** CTF position id, sent as a decimal string. */
  token: (about: string) => plain("UInt256", about, ZSTD),
  money: (about: string) => plain("Decimal64(6)", about, ZSTD),
  maybeMoney: (about: string) => plain("Nullable(Decimal64(6))", about, ZSTD),
  /** Sent as an array of decimal strings. */
  monies: (about: string) => plain("Array(Decimal64(6))", about, ZSTD),
  /** 256-bit integers (position ids, payouts), sent as an array of decimal strings. */
  integers: (about: string) => plain("Array(UInt256)", about, ZSTD),
  /** Sent as YYYY-MM-DD. */
  day: (about: string) => plain("Date", about, DELTA),
  seconds: (about: string) => plain("DateTime('UTC')", about, DELTA),
  /** Sent as ISO text. */
  millis: (about: string) => plain("DateTime64(3, 'UTC')", about, DELTA),
  micros: (about: string) => plain("DateTime64(6, 'UTC')", about, DELTA),
  maybeMicros: (about: string) => plain("Nullable(DateTime64(6, 'UTC'))", about, ZSTD),
  maybeSeconds: (about: string) => plain("Nullable(DateTime('UTC'))", about, ZSTD),
  count: (about: string) => plain("UInt32", about, DELTA),
  big: (about: string) => plain("UInt64", about, DELTA),
  bigs: (about: string) => plain("Array(UInt64)", about, ZSTD),
  /** A 128-bit integer. */
  wide: (about: string) => plain("Int128", about, ZSTD),
  small: (about: string) => plain("UInt8", about, ZSTD),
  choice: (values: readonly string[], about: string) =>
    plain(`Enum8(${values.map((value, index) => `'${value}' = ${index + 1}`).join(", ")})`, about, ZSTD),
  /** For statistics only, never for money. */
  real: (about: string) => plain("Float64", about, ZSTD),
  maybeReal: (about: string) => plain("Nullable(Float64)", about, ZSTD),
  /** A statistic for which seven digits suffice. */
  maybeRatio: (about: string) => plain("Nullable(Float32)", about, ZSTD),
  /** Book levels: (price, size) pairs, sent as arrays of two decimal strings. */
  levels: (about: string) => plain("Array(Tuple(price Decimal64(6), size Decimal64(6)))", about, ZSTD),
  /** When the row was stored; filled by the store, used by cursors to stay on their snapshot. */
  ingested: (): StoredColumn => ({
    stored: "DateTime64(6, 'UTC')",
    insert: "DateTime64(6, 'UTC')",
    default: "now64(6)",
    codec: DELTA,
    about: "When this row was stored.",
  }),
  /** The words of some text columns, lower-cased and separated by single spaces, for search by words and prefixes. */
  words: (columns: readonly string[]): StoredColumn => ({
    ...plain("String", "Words for search.", ZSTD),
    materialized: `lowerUTF8(replaceRegexpAll(concat(' ', ${columns.join(", ' ', ")}), '[^\\\\p{L}\\\\p{N}]+', ' '))`,
  }),
  /** The largest version wins among rows of one key; filled by the store from one increasing sequence. */
  version: (): StoredColumn => ({ ...plain("UInt64", "Rises with every insert; the largest wins.", DELTA) }),
} as const;
