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
