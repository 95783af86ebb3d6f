import { rm } from "node:fs/promises";
import { queryAsync } from "chdb";

const SETTINGS =
  "SETTINGS engine_file_truncate_on_insert = 1, output_format_parquet_compression_method = 'lz4', output_format_parquet_row_group_size = 500000";

function quoted(path: string): string {
  return `'${path.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
}

/**
 * Turns one file of rows into one Parquet file, and removes it if it is binary. `rest` follows FROM.
 * `structure` and `select` are ClickHouse text of ours.
 */
export async function toParquet(
  source: { path: string; format: "RowBinary" | "JSONEachRow"; structure: string },
  select: string,
  target: string,
  rest: string = "",
): Promise<void> {
  const from = `file(${quoted(source.path)}, ${source.format}, ${quoted(source.structure)})`;
  await queryAsync(
    `INSERT INTO FUNCTION file(${quoted(target)}, Parquet) SELECT ${select} FROM ${from} ${rest} ${SETTINGS}`,
  );
  if (source.format === "RowBinary") await rm(source.path);
}
