const FIRST_KEYS = 512;
const MIX = 0x9e3779b1;

/** Assigns numbers from 0 to keys of `width` 32-bit words, in order of first occurrence. */
export class KeyNumbers {
  readonly #width: number;
  #keys: Uint32Array;
  /** Hash slots, at least twice as many as keys; each holds a number plus one, or 0 if empty. */
  #slots = new Uint32Array(2 * FIRST_KEYS);
  #count = 0;

  constructor(width: number) {
    this.#width = width;
    this.#keys = new Uint32Array(width * FIRST_KEYS);
  }

  get count(): number {
    return this.#count;
  }

  /** The number of the key at offset `at` of `words`; a new one if it is not known. */
  of(words: Uint32Array, at: number): number {
    const slot = this.#slotOf(words, at);
    const found = this.#slots[slot] as number;
    if (found > 0) return found - 1;
    const number = this.#count;
    this.#keys.set(words.subarray(at, at + this.#width), number * this.#width);
    this.#count = number + 1;
    this.#slots[slot] = this.#count;
    if (this.#count * 2 === this.#slots.length) this.#grow();
    return number;
  }

  /** The same without adding; -1 if not known. */
  find(words: Uint32Array, at: number): number {
    return (this.#slots[this.#slotOf(words, at)] as number) - 1;
  }

  /** The bytes of a key by its number, as a view valid until another key is added. */
  bytes(number: number): Uint8Array {
    return new Uint8Array(this.#keys.buffer, number * this.#width * 4, this.#width * 4);
  }

  /** One word of a key, by its number. */
  word(number: number, index: number): number {
    return this.#keys[number * this.#width + index] as number;
  }

  #slotOf(words: Uint32Array, at: number): number {
    const mask = this.#slots.length - 1;
    let hash = 0;
    for (let index = 0; index < this.#width; index += 1) {
      hash = Math.imul(hash ^ (words[at + index] as number), MIX);
      hash ^= hash >>> 15;
    }
    let slot = hash & mask;
    while (this.#slots[slot] !== 0 && !this.#isKey((this.#slots[slot] as number) - 1, words, at))
      slot = (slot + 1) & mask;
    return slot;
  }

  #isKey(number: number, words: Uint32Array, at: number): boolean {
    const from = number * this.#width;
    for (let index = 0; index < this.#width; index += 1)
      if (this.#keys[from + index] !== words[at + index]) return false;
    return true;
  }

  #grow(): void {
    const keys = new Uint32Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let number = 0; number < this.#count; number += 1)
      this.#slots[this.#slotOf(keys, number * this.#width)] = number + 1;
  }
}
