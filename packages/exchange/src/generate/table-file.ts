/**
 * A Parquet file with the columns of the service table it is named after: `<table>.parquet`, or a part in `<table>/`.
 */
export interface TableFile {
  /** Path under `out`; `#` becomes shard and part number. */
  file: string;
  /** Each column as engine SQL over the generator's own columns. */
  select: Readonly<Record<string, string>>;
  /** SQL after FROM: which rows to select, or how to group them. */
  rest?: string;
}

/** The SELECT list of a file. */
export const selectOf = ({ select }: TableFile): string =>
  Object.entries(select)
    .map(([column, value]) => `${value} AS ${column}`)
    .join(", ");

/** Builds engine SQL that converts the generator's columns to the service's types, by unit. */
export const columnSql = {
  micro: (column: string): string => `CAST(toDecimal128(${column}, 6) / 1000000, 'Decimal64(6)')`,
  e4: (column: string): string => `CAST(toDecimal128(${column}, 6) / 10000, 'Decimal64(6)')`,
  maybeE4: (column: string): string => `CAST(toDecimal128(${column}, 6) / 10000, 'Nullable(Decimal64(6))')`,
  hundredth: (column: string): string => `CAST(toDecimal128(${column}, 6) / 100, 'Decimal64(6)')`,
  moment: (column: string, places: number): string =>
    `toDateTime64(fromUnixTimestamp64Milli(${column}, 'UTC'), ${places}, 'UTC')`,
  second: (column: string): string => `toDateTime(intDiv(assumeNotNull(${column}), 1000), 'UTC')`,
  maybeSecond: (column: string): string =>
    `CAST(toDateTime(intDiv(${column}, 1000), 'UTC'), 'Nullable(DateTime(\\'UTC\\'))')`,
  bytes: (column: string, length: number): string => `toFixedString(unhex(substring(${column}, 3)), ${length})`,
  tokenOf: (column: string): string => `reinterpretAsUInt256(reverse(${column}))`,
  levels: (prices: string, sizes: string): string =>
    `arrayMap((p, s) -> CAST((toDecimal128(p, 6) / 10000, toDecimal128(s, 6) / 1000000), 'Tuple(price Decimal64(6), size Decimal64(6))'), ${prices}, ${sizes})`,
} as const;
