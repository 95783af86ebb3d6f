/** A Parquet file with the columns of a table of the service, which its name says: `<table>.parquet`, or one of `<table>/`. */
export interface TableFile {
  /** Path under `out`; `#` becomes shard and part number. */
  file: string;
  /** Each column as engine SQL over the generator's own columns. */
  select: Readonly<Record<string, string>>;
  /** What follows FROM: which rows, or by what they become one. */
  rest?: string;
}

/** The SELECT list of a file. */
export const selectOf = ({ select }: TableFile): string =>
  Object.entries(select)
    .map(([column, value]) => `${value} AS ${column}`)
    .join(", ");
