/** There are two generations, each of half the bound, with twice as many slots as ids. */
const FIRST_SLOTS = 1024;

type Generation = { keys: Float64Array; timestamps: Float64Array; size: number };

/**
 * The newest ids with a timestamp each, up to a bound, in 32 bytes per id. When half of the bound is new, the older
 * half is evicted at once. An id is kept as 53 bits of its hash, so one in billions is mistaken for another.
 */
export class RecentIds {
  readonly #half: number;
  #young = empty(FIRST_SLOTS);
  #old = empty(FIRST_SLOTS);

  constructor(most: number) {
    this.#half = Math.ceil(most / 2);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** The timestamp of an id (Unix ms); undefined if unknown. */
  get(id: string): number | undefined {
    const key = hashOf(id);
    return find(this.#young, key) ?? find(this.#old, key);
  }

  /** An id that is set again counts as new. */
  set(id: string, timestamp: number): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = empty(FIRST_SLOTS);
    }
    this.#young = put(this.#young, hashOf(id), timestamp);
  }
}

function empty(slots: number): Generation {
  return { keys: new Float64Array(slots), timestamps: new Float64Array(slots), size: 0 };
}

function slotOf({ keys }: Generation, key: number): number {
  let slot = key % keys.length;
  while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) % keys.length;
  return slot;
}

function find(generation: Generation, key: number): number | undefined {
  const slot = slotOf(generation, key);
  return generation.keys[slot] === key ? generation.timestamps[slot] : undefined;
}

function put(generation: Generation, key: number, timestamp: number): Generation {
  const room = generation.size * 2 < generation.keys.length ? generation : grown(generation);
  const slot = slotOf(room, key);
  if (room.keys[slot] === 0) room.size += 1;
  room.keys[slot] = key;
  room.timestamps[slot] = timestamp;
  return room;
}

function grown({ keys, timestamps }: Generation): Generation {
  const larger = empty(keys.length * 2);
  for (const [slot, key] of keys.entries()) if (key !== 0) put(larger, key, timestamps[slot] ?? 0);
  return larger;
}

/** 53 bits, never 0. Two multiplicative hashes, each finished with the other one's high bits (cyrb53). */
function hashOf(id: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let place = 0; place < id.length; place += 1) {
    const code = id.charCodeAt(place);
    a = Math.imul(a ^ code, 2_654_435_761);
    b = Math.imul(b ^ code, 1_597_334_677);
  }
  const high = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  const low = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 1 + ((high >>> 0) % 0x200000) * 0x100000000 + (low >>> 0);
}
