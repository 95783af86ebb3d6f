const FIRST_KEYS = 512;
const MIX = 0x9e3779b1;

/** Numbers from 0 on for keys of so many 32-bit words each, in the order in which they are first met. */
export class KeyNumbers {
  readonly #width: number;
  #keys: Uint32Array;
  /** Twice as many as keys at least; a number and one, 0 where there is none. */
  #slots = new Uint32Array(2 * FIRST_KEYS);
  #count = 0;

  constructor(width: number) {
    this.#width = width;
    this.#keys = new Uint32Array(width * FIRST_KEYS);
  }

  get count(): number {
    return this.#count;
  }

  /** Of the key that begins at a place among words; a new one, where it was not met yet. */
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

  /** The same; -1 where it was not met. */
  find(words: Uint32Array, at: number): number {
    return (this.#slots[this.#slotOf(words, at)] as number) - 1;
  }

  /** The key that has a number, where it lies until another one is met. */
  bytes(number: number): Uint8Array {
    return new Uint8Array(this.#keys.buffer, number * this.#width * 4, this.#width * 4);
  }

  /** A word of it. */
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
