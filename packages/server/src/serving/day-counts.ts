import { META } from "./tree-key.ts";
import type { OrderedStore } from "../ordered/ordered-store.ts";

const PREFIX = Buffer.from("day ");
const DAY_SECONDS = 86_400;

/** Number of a day's rows, and the sum of the lower bits of their versions, which together identify the rows. */
export type DayCount = { readonly count: number; readonly versions: number };

/** Versions are taken modulo this, so that their sum stays exact. */
export const VERSIONS_BELOW = 16_777_216;

/** The rows that the index has per day (by their seconds, from 1970), updated in the transaction of the rows. */
export class DayCounts {
  readonly #store: OrderedStore;
  readonly #changes = new Map<number, DayCount>();

  constructor(store: OrderedStore) {
    this.#store = store;
  }

  /** `by`: one row more or less, with this version. */
  change(seconds: number, by: 1 | -1, version: number): void {
    const day = Math.floor(seconds / DAY_SECONDS);
    this.#changes.set(day, sumOf(this.#changes.get(day), { count: by, versions: by * (version % VERSIONS_BELOW) }));
  }

  save(): void {
    for (const [day, by] of this.#changes) {
      if (by.count === 0 && by.versions === 0) continue;
      const key = keyOf(day);
      const { count, versions } = sumOf(countOf(this.#store.get(META, key)), by);
      this.#store.put(META, key, Buffer.from(`${count} ${versions}`));
    }
    this.#changes.clear();
  }

  /** Discards unsaved changes. */
  drop(): void {
    this.#changes.clear();
  }

  all(): ReadonlyMap<number, DayCount> {
    const entries = this.#store.down(META, keyOf(0xffff_ffff), PREFIX, MAX_DAYS);
    return new Map(entries.map(({ key, value }) => [key.readUInt32BE(PREFIX.length), countOf(value)]));
  }
}

/** Days covered by 32 bits of seconds. */
const MAX_DAYS = 50_000;

function keyOf(day: number): Buffer {
  const key = Buffer.alloc(PREFIX.length + 4);
  PREFIX.copy(key);
  key.writeUInt32BE(day, PREFIX.length);
  return key;
}

function countOf(value: Buffer | undefined): DayCount {
  const [count = 0, versions = 0] = (value?.toString() ?? "").split(" ").map(Number);
  return { count, versions };
}

const sumOf = (a: DayCount | undefined, b: DayCount): DayCount => ({
  count: (a?.count ?? 0) + b.count,
  versions: (a?.versions ?? 0) + b.versions,
});
