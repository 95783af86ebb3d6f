import { BlockCodec } from "./block.ts";
import { ByteWriter } from "../definition/bytes.ts";
import type { Column, Layout, TreeLayout } from "./layout.ts";
import { haveOneSortKey, sortKeyOf, writeSortKey } from "./order.ts";
import type { Entry, OrderedStore } from "../ordered/ordered-store.ts";
import { comparePicks, type Edits, withEdits } from "./merge-edits.ts";
import { Picks, type Rows } from "./rows.ts";

/** Rows of a full entry. Only rows with the same sort key can make it longer. */
export const FULL_ROWS = 128;
/** A tail below this size grows in place, so that an append writes little. */
const SMALL_ROWS = 16;
/** Small tails are merged into one entry when they have this many rows together. */
const MERGED_ROWS = 112;
/** More small tails than are needed for a full entry, unless deletes left very short ones. */
const LOOKED_AT = 12;

/** An entry with the edits in its range. */
type Touched = { readonly entry: Entry | undefined; readonly from: number; readonly to: number };

/** Entries of blocks keyed by (key, sort key of the first row): they are in order and do not overlap. */
export class BlockTree {
  readonly key: Column | undefined;
  /** Called with each key whose rows are read. */
  onRead: ((key: Buffer) => void) | undefined;
  readonly #name: string;
  readonly #store: OrderedStore;
  readonly #codec: BlockCodec;
  readonly #out = new ByteWriter();
  /** Header of an entry's value: the last sort key, then the number of rows; the blocks follow. */
  readonly #sortBytes: number;
  readonly #headBytes: number;
  readonly #highest: Buffer;

  constructor(store: OrderedStore, layout: Layout, { name, key }: TreeLayout) {
    this.key = key;
    this.#name = name;
    this.#store = store;
    this.#codec = new BlockCodec(layout, key);
    this.#sortBytes = layout.sortBytes;
    this.#headBytes = layout.sortBytes + 2;
    this.#highest = Buffer.alloc(layout.sortBytes, 255);
  }

  /** Entries of a key that begin at or before a sort key (by default: all), the newest first. */
  entries(key: Buffer, limit: number, from: Buffer = this.#highest): Entry[] {
    this.onRead?.(key);
    return this.#store.down(this.#name, Buffer.concat([key, from]), key, limit);
  }

  /** The entry whose range includes a sort key: the newest that begins at or before it, otherwise the first. */
  entryAt(key: Buffer, sortKey: Buffer): Entry | undefined {
    return this.entries(key, 1, sortKey)[0] ?? this.#entryFrom(key, key);
  }

  /** Entries of a key from the one that includes a sort key on (by default: all), the oldest first. */
  entriesUp(key: Buffer, limit: number, from?: Buffer): Entry[] {
    this.onRead?.(key);
    const [first] = from === undefined ? [] : this.entries(key, 1, from);
    return this.#up(key, first?.key ?? key, limit);
  }

  /** Entries newer than a given one. */
  entriesAbove(key: Buffer, entry: Entry, limit: number): Entry[] {
    return this.#up(key, Buffer.concat([entry.key, Buffer.alloc(1)]), limit);
  }

  /** Entries older than a given one. */
  entriesBelow(key: Buffer, entry: Entry, limit: number): Entry[] {
    const from = keyBelow(entry.key, key.length);
    return from === undefined ? [] : this.#store.down(this.#name, from, key, limit);
  }

  /** The blocks of an entry, the oldest first. */
  blocksOf(key: Buffer, entry: Entry): Rows[] {
    return this.#codec.read(key, entry.value, this.#headBytes);
  }

  /** Writes and removes rows of one key. Stored rows with the same identity are replaced. */
  edit(key: Buffer, edits: Edits): void {
    const [last] = this.entries(key, 1);
    if (!edits.gone.includes(true) && this.#isAfter(edits, last)) {
      this.#append(key, last, edits);
      return;
    }
    for (const { entry, from, to } of this.#touched(key, edits)) {
      const rows = withEdits(this.#picksOf(key, entry), edits, from, to);
      const pieces = Math.ceil(rows.length / FULL_ROWS);
      if (entry !== undefined) this.#store.remove(this.#name, entry.key);
      this.#putAll(key, rows, Math.ceil(rows.length / pieces));
    }
  }

  /** All keys that have rows, in order. */
  *keys(): Generator<Buffer, void, void> {
    for (let entry = this.#store.firstKey(this.#name, Buffer.from([0])); entry !== undefined;) {
      const key = Buffer.from(entry.subarray(0, entry.length - this.#sortBytes));
      yield key;
      entry = this.#store.firstKey(this.#name, Buffer.concat([key, this.#highest, Buffer.alloc(1)]));
    }
  }

  /** Calls back with the index of each edit whose row is stored, and that row. */
  find(key: Buffer, edits: Picks, found: (index: number, rows: Rows, at: number) => void): void {
    const [last] = this.entries(key, 1);
    if (edits.length === 0 || this.#isAfter(edits, last)) return;
    for (const { entry, from, to } of this.#touched(key, edits)) {
      const held = this.#picksOf(key, entry);
      let next = 0;
      for (let index = from; index < to; index += 1) {
        while (next < held.length && comparePicks(held, next, edits, index) < 0) next += 1;
        if (next < held.length && comparePicks(held, next, edits, index) === 0)
          found(index, held.rowsAt(next), held.atOf(next));
      }
    }
  }

  /** Writes rows from…to as one entry. */
  put(key: Buffer, picks: Picks, from: number, to: number): void {
    this.#start(picks, to, to - from);
    this.#codec.write(picks, from, to, this.#out);
    const first = sortKeyOf(picks.rowsAt(from), picks.atOf(from));
    this.#store.put(this.#name, Buffer.concat([key, first]), this.#out.written());
  }

  #append(key: Buffer, last: Entry | undefined, adds: Picks): void {
    if (adds.length < SMALL_ROWS) {
      if (last === undefined || this.#countOf(last) >= SMALL_ROWS) {
        this.put(key, adds, 0, adds.length);
        return;
      }
      const count = this.#countOf(last) + adds.length;
      this.#start(adds, adds.length, count);
      this.#out.copy(last.value, this.#headBytes, last.value.length);
      this.#codec.write(adds, 0, adds.length, this.#out);
      this.#store.put(this.#name, last.key, this.#out.written());
      if (count >= SMALL_ROWS) this.#mergeTails(key);
      return;
    }
    const short = last !== undefined && this.#countOf(last) < FULL_ROWS / 2 ? last : undefined;
    const rows = this.#picksOf(key, short);
    for (let index = 0; index < adds.length; index += 1) rows.push(adds.rowsAt(index), adds.atOf(index));
    this.#putAll(key, rows, FULL_ROWS);
  }

  #mergeTails(key: Buffer): void {
    const tails: Entry[] = [];
    let count = 0;
    for (const entry of this.entries(key, LOOKED_AT)) {
      if (count >= FULL_ROWS || this.#countOf(entry) >= FULL_ROWS / 2) break;
      tails.unshift(entry);
      count += this.#countOf(entry);
    }
    if (count < MERGED_ROWS || tails.length < 2) return;
    const rows = this.#picksOf(key, ...tails);
    for (const entry of tails) this.#store.remove(this.#name, entry.key);
    this.#putAll(key, rows, FULL_ROWS);
  }

  /** The entries that edits affect, with the edits of each. */
  *#touched(key: Buffer, edits: Picks): Generator<Touched> {
    for (let from = 0; from < edits.length;) {
      const start = sortKeyOf(edits.rowsAt(from), edits.atOf(from));
      const entry = this.entryAt(key, start);
      const next = entry && this.#keyFrom(key, Buffer.concat([entry.key, Buffer.alloc(1)]));
      let to = from + 1;
      while (to < edits.length && isBefore(edits, to, next?.subarray(key.length))) to += 1;
      yield { entry, from, to };
      from = to;
    }
  }

  #up(key: Buffer, from: Buffer, limit: number): Entry[] {
    return this.#store.up(this.#name, from, Buffer.concat([key, this.#highest]), limit);
  }

  #entryFrom(key: Buffer, from: Buffer): Entry | undefined {
    const first = this.#keyFrom(key, from);
    const value = first && this.#store.get(this.#name, first);
    return first && value && { key: first, value };
  }

  #keyFrom(key: Buffer, from: Buffer): Buffer | undefined {
    const found = this.#store.firstKey(this.#name, from);
    return found !== undefined && found.subarray(0, key.length).equals(key) ? found : undefined;
  }

  #picksOf(key: Buffer, ...entries: readonly (Entry | undefined)[]): Picks {
    const picks = new Picks();
    for (const entry of entries)
      if (entry !== undefined) for (const rows of this.blocksOf(key, entry)) picks.pushAll(rows);
    return picks;
  }

  #putAll(key: Buffer, picks: Picks, size: number): void {
    for (let from = 0; from < picks.length;) {
      const to = endOfEntry(picks, from, size);
      this.put(key, picks, from, to);
      from = to;
    }
  }

  #start(picks: Picks, to: number, count: number): void {
    this.#out.at = 0;
    this.#out.reserve(this.#headBytes);
    writeSortKey(picks.rowsAt(to - 1), picks.atOf(to - 1), this.#out.bytes, 0);
    this.#out.at = this.#out.bytes.writeUInt16LE(count, this.#sortBytes);
  }

  #countOf(entry: Entry): number {
    return entry.value.readUInt16LE(this.#sortBytes);
  }

  #isAfter(picks: Picks, last: Entry | undefined): boolean {
    if (last === undefined) return true;
    const first = sortKeyOf(picks.rowsAt(0), picks.atOf(0));
    return last.value.compare(first, 0, first.length, 0, first.length) < 0;
  }
}

/** The highest lower key of the same length and prefix. */
function keyBelow(key: Buffer, beginning: number): Buffer | undefined {
  const below = Buffer.from(key);
  for (let at = key.length - 1; at >= beginning; at -= 1) {
    const byte = below[at] as number;
    below[at] = (byte + 255) % 256;
    if (byte > 0) return below;
  }
  return undefined;
}

/** Rows with the same sort key stay in one entry, otherwise two entries would have the same key. */
function endOfEntry(picks: Picks, from: number, size: number): number {
  let to = Math.min(picks.length, from + size);
  while (
    to < picks.length &&
    haveOneSortKey(picks.rowsAt(to - 1), picks.atOf(to - 1), picks.rowsAt(to), picks.atOf(to))
  )
    to += 1;
  return to;
}

const isBefore = (picks: Picks, index: number, sortKey: Buffer | undefined): boolean =>
  sortKey === undefined || sortKeyOf(picks.rowsAt(index), picks.atOf(index)).compare(sortKey) < 0;
