import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Chunk } from "./shard-files.ts";
import { OUTPUT_TABLES, type OutputTable } from "./output-table.ts";
import { selectOf } from "./table-file.ts";
import { queryAsync } from "chdb";

/** Converts files to Parquet one at a time; workers pause while too many are queued. */
export class ParquetQueue {
  rows = 0;
  readonly byTable: Record<string, number> = {};
  /** Number of queued chunks, shared with the workers. */
  readonly waiting: Int32Array = new Int32Array(new SharedArrayBuffer(4));
  private readonly out: string;
  private last: Promise<void> = Promise.resolve();
  private failure: unknown = null;

  constructor(out: string) {
    this.out = out;
  }

  add(chunk: Chunk): void {
    this.last = this.turn(this.last, chunk);
  }

  /** Resolves when all queued files are Parquet; throws the first error. */
  async settle(): Promise<void> {
    await this.last;
    if (this.failure !== null) throw this.failure;
  }

  private async turn(before: Promise<void>, chunk: Chunk): Promise<void> {
    await before;
    const { structure, decoded, files }: OutputTable = OUTPUT_TABLES[chunk.table];
    const source: RowFile = { path: chunk.path, format: "RowBinary", structure, decoded };
    try {
      for (const made of files) {
        await toParquet(source, selectOf(made), join(this.out, made.file.replace("#", chunk.part)), made.rest);
      }
      await rm(chunk.path);
      this.rows += chunk.rows;
      this.byTable[chunk.table] = (this.byTable[chunk.table] ?? 0) + chunk.rows;
    } catch (error) {
      this.failure ??= error;
    }
    Atomics.sub(this.waiting, 0, 1);
    Atomics.notify(this.waiting, 0);
  }
}

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
