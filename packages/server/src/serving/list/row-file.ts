import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { grown } from "./row-order.ts";

/** Slot sizes are multiples of this many bytes, so that a changed row mostly stays in its slot. */
const UNIT = 64;
const CACHE_BYTES = 8 * 1024 * 1024;
/** Memory overhead of a cached text. */
const KEPT_BYTES = 200;

/**
 * The texts of rows in a file private to this process, empty at first. Each text has a shown part, which is cached in
 * memory when read, followed by a rest.
 */
export class RowFile {
  readonly #file: number;
  readonly #kept = new LRUCache<number, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ length }) => length + KEPT_BYTES,
  });
  /** Start and size of each row's slot, in units. */
  #starts = new Uint32Array(1024);
  #sizes = new Uint32Array(1024);
  #lengths = new Uint32Array(1024);
  #shown = new Uint32Array(1024);
  /** Free slots by size. */
  readonly #free = new Map<number, number[]>();
  #end = 0;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "rows");
    rmSync(file, { force: true });
    this.#file = openSync(file, "w+");
  }

  /** Stores a text, replacing the row's former one. */
  put(row: number, text: Buffer, shown: number): void {
    while (row >= this.#starts.length) this.#grow();
    const size = Math.ceil(text.length / UNIT);
    if (this.#sizes[row] !== size) {
      this.remove(row);
      this.#starts[row] = this.#free.get(size)?.pop() ?? this.#atEnd(size);
      this.#sizes[row] = size;
    }
    this.#kept.delete(row);
    const at = (this.#starts[row] as number) * UNIT;
    for (let written = 0; written < text.length;)
      written += writeSync(this.#file, text, written, text.length - written, at + written);
    this.#lengths[row] = text.length;
    this.#shown[row] = shown;
  }

  remove(row: number): void {
    const size = this.#sizes[row] ?? 0;
    if (size === 0) return;
    const free = this.#free.get(size);
    if (free === undefined) this.#free.set(size, [this.#starts[row] as number]);
    else free.push(this.#starts[row] as number);
    this.#sizes[row] = 0;
    this.#kept.delete(row);
  }

  /** The shown part of a row's text. */
  shown(row: number): Buffer {
    const kept = this.#kept.get(row);
    if (kept !== undefined) return kept;
    const text = this.#read(row, 0, this.#shown[row] as number);
    this.#kept.set(row, text);
    return text;
  }

  /** The part after the shown one. */
  rest(row: number): Buffer {
    return this.#read(row, this.#shown[row] as number, this.#lengths[row] as number);
  }

  /** Bytes on the disk. */
  bytes(): number {
    return this.#end * UNIT;
  }

  close(): void {
    closeSync(this.#file);
  }

  #read(row: number, from: number, to: number): Buffer {
    const text = Buffer.allocUnsafeSlow(to - from);
    const at = (this.#starts[row] as number) * UNIT + from;
    for (let read = 0; read < text.length;) {
      const more = readSync(this.#file, text, read, text.length - read, at + read);
      if (more === 0) throw new Error("the file of rows ends before its rows");
      read += more;
    }
    return text;
  }

  #atEnd(size: number): number {
    const start = this.#end;
    this.#end += size;
    return start;
  }

  #grow(): void {
    this.#starts = grown(this.#starts);
    this.#sizes = grown(this.#sizes);
    this.#lengths = grown(this.#lengths);
    this.#shown = grown(this.#shown);
  }
}
