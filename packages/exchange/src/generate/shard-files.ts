import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { OutputTableName } from "./output-table.ts";
import { RowBuffer } from "./row-buffer.ts";

/** One file of rows, ready for conversion to Parquet. */
export interface Chunk {
  table: OutputTableName;
  path: string;
  /** "0-00012": shard and part. */
  part: string;
  rows: number;
}

/** Maximum chunk size of each table, bytes. */
const CAPACITY: Readonly<Record<OutputTableName, number>> = {
  fills: 80_000_000,
  operations: 16_000_000,
  book_changes: 12_000_000,
  book_snapshots: 8_000_000,
  kalshi_trades: 12_000_000,
};

/** Row buffers of one shard; a full one is written to a file, which is passed to `hand`. */
export class ChunkWriter {
  private readonly folder: string;
  private readonly shard: string;
  private readonly hand: (chunk: Chunk) => void;
  private readonly buffers: Map<OutputTableName, RowBuffer> = new Map();
  private readonly parts: Map<OutputTableName, number> = new Map();

  constructor(folder: string, shard: string, hand: (chunk: Chunk) => void) {
    this.folder = folder;
    this.shard = shard;
    this.hand = hand;
  }

  /**
   * Returns the buffer for one more row of a table; a row that `continues` the previous one is written to the same
   * file.
   */
  row(table: OutputTableName, continues: boolean = false): RowBuffer {
    let buffer = this.buffers.get(table);
    if (buffer === undefined) this.buffers.set(table, (buffer = new RowBuffer(CAPACITY[table], 8192)));
    if (buffer.isFull() && !continues) this.write(table, buffer);
    buffer.rows += 1;
    return buffer;
  }

  finish(): void {
    for (const [table, buffer] of this.buffers) if (buffer.rows > 0) this.write(table, buffer);
  }

  private write(table: OutputTableName, buffer: RowBuffer): void {
    const number = (this.parts.get(table) ?? 0) + 1;
    this.parts.set(table, number);
    const part = `${this.shard}-${String(number).padStart(5, "0")}`;
    const path = join(this.folder, `${table}-${part}.bin`);
    const file = openSync(path, "w");
    let done = 0;
    while (done < buffer.length) done += writeSync(file, buffer.bytes, done, buffer.length - done);
    closeSync(file);
    const { rows } = buffer;
    buffer.clear();
    this.hand({ table, path, part, rows });
  }
}

/** Writes objects as JSON lines to a file, a few hundred kilobytes at a time. */
export class LineWriter {
  private readonly file: number;
  private waiting: string[] = [];

  constructor(path: string) {
    this.file = openSync(path, "w");
  }

  write(line: object): void {
    this.waiting.push(JSON.stringify(line));
    if (this.waiting.length >= 1000) this.flush();
  }

  close(): void {
    this.flush();
    closeSync(this.file);
  }

  private flush(): void {
    if (this.waiting.length > 0) writeSync(this.file, `${this.waiting.join("\n")}\n`);
    this.waiting = [];
  }
}
