import { crc32 } from "node:zlib";

const PLACES = 1 << 18;
/** A page of more keys is not followed by them. */
const MOST_NOTED = 200;

/**
 * How often rows of a key changed, in memory that the thread which writes an index shares with those that read it. Keys
 * with the same checksum share a number, so that one may seem to have changed because of another.
 */
export class KeyChanges {
  readonly memory: SharedArrayBuffer;
  readonly #counts: Int32Array;

  constructor(memory = new SharedArrayBuffer((PLACES + 1) * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#counts = new Int32Array(memory);
  }

  placeOf(tree: number, key: Buffer): number {
    return 1 + (crc32(key, tree) % PLACES);
  }

  at(place: number): number {
    return Atomics.load(this.#counts, place);
  }

  /** How often anything was written. */
  writes(): number {
    return this.at(0);
  }

  /** After the rows can be read. The number of writes goes up first: whoever reads meanwhile can tell. */
  raise(places: Iterable<number>): void {
    Atomics.add(this.#counts, 0, 1);
    for (const place of places) Atomics.add(this.#counts, place, 1);
  }
}

/** Of one index: how often it was written before it was read, and of each key how often that had changed. */
type Reading = { readonly writes: number; readonly counts: Map<number, number> };

/** Which keys of which indexes a page was read from, and how often these had changed before. */
export class KeyNotes {
  readonly #readings = new Map<KeyChanges, Reading>();
  #isLost = false;

  /** Before the first row of an index is read; `end` belongs to it, after the last one. */
  begin(changes: KeyChanges | undefined): void {
    if (changes === undefined) this.#isLost = true;
    else this.#readings.set(changes, { writes: changes.writes(), counts: new Map() });
  }

  note(changes: KeyChanges, place: number): void {
    const counts = this.#readings.get(changes)?.counts;
    if (counts?.has(place) !== false) return;
    if (counts.size === MOST_NOTED) this.lose();
    else counts.set(place, changes.at(place));
  }

  /** What was written while the rows were read may be in the counts and not in the rows. */
  end(changes: KeyChanges | undefined): void {
    if (changes !== undefined && this.#readings.get(changes)?.writes !== changes.writes()) this.#isLost = true;
  }

  /** What the page was read from cannot be told by keys. */
  lose(): void {
    this.#isLost = true;
  }

  /** None of the keys was written to since. */
  areCurrent(): boolean {
    if (this.#isLost) return false;
    for (const [changes, { counts }] of this.#readings)
      for (const [place, count] of counts) if (changes.at(place) !== count) return false;
    return true;
  }
}
