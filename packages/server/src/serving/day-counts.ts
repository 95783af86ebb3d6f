import { META } from "./meta.ts";
import type { OrderedStore } from "./port.ts";

const PREFIX = Buffer.from("day ");
const DAY_SECONDS = 86_400;

/** How many rows the index has of each day (of its seconds, from 1970), changed in the transaction of the rows. */
export class DayCounts {
  readonly #store: OrderedStore;
  readonly #changes = new Map<number, number>();

  constructor(store: OrderedStore) {
    this.#store = store;
  }

  change(seconds: number, by: number): void {
    const day = Math.floor(seconds / DAY_SECONDS);
    this.#changes.set(day, (this.#changes.get(day) ?? 0) + by);
  }

  save(): void {
    for (const [day, by] of this.#changes) {
      if (by === 0) continue;
      const key = keyOf(day);
      const count = numberOf(this.#store.get(META, key)) + by;
      this.#store.put(META, key, Buffer.from(String(count)));
    }
    this.#changes.clear();
  }

  /** Forgets what was not saved. */
  drop(): void {
    this.#changes.clear();
  }

  all(): ReadonlyMap<number, number> {
    const entries = this.#store.down(META, keyOf(0xffff_ffff), keyOf(0), MOST_DAYS);
    return new Map(entries.map(({ key, value }) => [key.readUInt32BE(PREFIX.length), numberOf(value)]));
  }
}

/** Of 32 bits of seconds. */
const MOST_DAYS = 50_000;

function keyOf(day: number): Buffer {
  const key = Buffer.alloc(PREFIX.length + 4);
  PREFIX.copy(key);
  key.writeUInt32BE(day, PREFIX.length);
  return key;
}

const numberOf = (value: Buffer | undefined): number => Number(value?.toString() ?? 0);
