import { queryAsync } from "chdb";

const SETTINGS =
  "SETTINGS engine_file_truncate_on_insert = 1, output_format_parquet_compression_method = 'lz4', output_format_parquet_row_group_size = 500000, prefer_column_name_to_alias = 1";

/** A file of rows, and the SELECT list over its structure that decodes it. */
export interface RowFile {
  path: string;
  format: "RowBinary" | "JSONEachRow";
  structure: string;
  decoded: string;
}

function quoted(path: string): string {
  return `'${path.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
}

/**
 * Converts a file of rows to one Parquet file. `rest` follows FROM; all SQL parts are our own text, never user input.
 */
export async function toParquet(
  { path, format, structure, decoded }: RowFile,
  select: string,
  target: string,
  rest: string = "",
): Promise<void> {
  const from = `(SELECT ${decoded} FROM file(${quoted(path)}, ${format}, ${quoted(structure)}))`;
  await queryAsync(
    `INSERT INTO FUNCTION file(${quoted(target)}, Parquet) SELECT ${select} FROM ${from} ${rest} ${SETTINGS}`,
  );
}
