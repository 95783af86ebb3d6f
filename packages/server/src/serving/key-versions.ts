import { crc32 } from "node:zlib";

const SLOTS = 1 << 18;
/** A page that reads more keys than this of one index has no valid read set. */
const MAX_KEYS = 200;

/**
 * Counts the changes to the rows of each key of an index, in memory shared between the thread that writes it and its
 * readers. Keys with the same checksum share a counter, so one may seem changed because of another.
 */
export class KeyVersions {
  readonly memory: SharedArrayBuffer;
  readonly #counters: Int32Array;
  #losses = 0;

  constructor(memory = new SharedArrayBuffer((SLOTS + 1) * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#counters = new Int32Array(memory);
  }

  slotOf(tree: number, key: Buffer): number {
    return 1 + (crc32(key, tree) % SLOTS);
  }

  at(slot: number): number {
    return Atomics.load(this.#counters, slot);
  }

  /** Total number of writes. */
  writes(): number {
    return this.at(0);
  }

  /** Called by the readers' thread when the writing one may have ended between a write and its count. */
  lose(): void {
    this.#losses += 1;
  }

  /** Number of calls of `lose`. */
  losses(): number {
    return this.#losses;
  }

  /** Called once the rows can be read. The number of writes goes up first, so that a concurrent read can detect it. */
  increment(slots: Iterable<number>): void {
    Atomics.add(this.#counters, 0, 1);
    for (const slot of slots) Atomics.add(this.#counters, slot, 1);
  }
}

/** State of one index: the number of writes before it was read, that of lost counts, and the version of each key then. */
type Reading = { readonly writes: number; readonly losses: number; readonly versions: Map<number, number> };

/**
 * The index keys that a page was read from, with their versions before: while these are unchanged the page is current.
 */
export class ReadSet {
  readonly #readings = new Map<KeyVersions, Reading>();
  #isInvalid = false;
  /** Unix second from which on every index that was read has all rows. */
  floor = 0;

  /** Called before the first row of an index is read; `end` is its counterpart after the last one. */
  begin(index: KeyVersions | undefined): void {
    if (index === undefined) this.#isInvalid = true;
    else this.#readings.set(index, { writes: index.writes(), losses: index.losses(), versions: new Map() });
  }

  add(index: KeyVersions, slot: number): void {
    const versions = this.#readings.get(index)?.versions;
    if (versions?.has(slot) !== false) return;
    if (versions.size === MAX_KEYS) this.invalidate();
    else versions.set(slot, index.at(slot));
  }

  /** A write during the read may be in the versions but not in the rows. */
  end(index: KeyVersions | undefined): void {
    if (index !== undefined && this.#readings.get(index)?.writes !== index.writes()) this.#isInvalid = true;
  }

  /** Called when the page was read from something other than keys. */
  invalidate(): void {
    this.#isInvalid = true;
  }

  /** Whether the read set is valid and none of its keys was written to since. */
  isCurrent(): boolean {
    if (this.#isInvalid) return false;
    for (const [index, { losses, versions }] of this.#readings) {
      if (index.losses() !== losses) return false;
      for (const [slot, version] of versions) if (index.at(slot) !== version) return false;
    }
    return true;
  }
}
