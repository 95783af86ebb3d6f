import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Chunk } from "./chunk-writer.ts";
import { OUTPUT_TABLES, type OutputTable } from "./output-table.ts";
import { selectOf } from "./table-file.ts";
import { type RowFile, toParquet } from "./to-parquet.ts";

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
