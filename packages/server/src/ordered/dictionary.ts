import { DamagedError, type OrderedStore } from "./ordered-store.ts";
import { bytesOfToken, tokenOfBytes } from "../definition/bytes.ts";

/** Name of the dictionary's tree. */
export const DICTIONARY = "dictionary";

/** The cache of tokens is cleared when it has more than these; they are then looked up again. */
const KEPT = 500_000;
const FORWARD = Buffer.from([0]);
const BACKWARD = 1;

/**
 * Numbers tokens from 0 in the order of first use, so that a row stores a few bytes instead of 32. New numbers are
 * written in the transaction of the rows that use them (`save`), and are pending until `saved`.
 */
export class Dictionary {
  readonly #store: OrderedStore;
  readonly #numbers = new Map<string, number>();
  readonly #tokens = new Map<number, string>();
  readonly #owed = new Map<string, number>();
  #next: number | undefined;

  constructor(store: OrderedStore) {
    this.#store = store;
  }

  /** Returns the number of a token, assigning a new one if it has none. */
  numberOf(token: string): number {
    const known = this.find(token);
    if (known !== undefined) return known;
    this.#next ??= this.#stored();
    const number = this.#next++;
    this.#owed.set(token, number);
    this.#keep(token, number);
    return number;
  }

  /** Returns the number of a token, if it has one. */
  find(token: string): number | undefined {
    const known = this.#numbers.get(token) ?? this.#owed.get(token);
    if (known !== undefined) return known;
    const found = this.#store.get(DICTIONARY, forwardKey(token))?.readUInt32BE(0);
    if (found !== undefined) this.#keep(token, found);
    return found;
  }

  /** Like `tokenOf`, for many numbers. */
  tokensOf(numbers: readonly number[]): string[] {
    const missing = numbers.filter((number) => !this.#tokens.has(number));
    if (missing.length > 1) {
      const found = this.#store.getAll(DICTIONARY, missing.map(backwardKey));
      for (const number of missing) {
        const stored = found.get(backwardKey(number).toString("latin1"));
        if (stored !== undefined) this.#keep(tokenOfBytes(stored), number);
      }
    }
    return numbers.map((number) => this.tokenOf(number));
  }

  tokenOf(number: number): string {
    const known = this.#tokens.get(number);
    if (known !== undefined) return known;
    const stored = this.#store.get(DICTIONARY, backwardKey(number));
    const token = stored === undefined ? this.#owedToken(number) : tokenOfBytes(stored);
    this.#keep(token, number);
    return token;
  }

  save(): void {
    for (const [token, number] of this.#owed) {
      const value = Buffer.alloc(4);
      value.writeUInt32BE(number, 0);
      this.#store.put(DICTIONARY, forwardKey(token), value);
      this.#store.put(DICTIONARY, backwardKey(number), forwardKey(token).subarray(1));
    }
  }

  /** Called once the transaction of the last `save` is committed. */
  saved(): void {
    this.#owed.clear();
  }

  #owedToken(number: number): string {
    for (const [token, owed] of this.#owed) if (owed === number) return token;
    throw new DamagedError(`the dictionary has no token ${number}`);
  }

  #stored(): number {
    const [newest] = this.#store.down(DICTIONARY, backwardKey(0xff_ff_ff_ff), Buffer.from([BACKWARD]), 1);
    return newest === undefined ? 0 : newest.key.readUInt32BE(1) + 1;
  }

  #keep(token: string, number: number): void {
    if (this.#numbers.size >= KEPT) {
      this.#numbers.clear();
      this.#tokens.clear();
    }
    this.#numbers.set(token, number);
    this.#tokens.set(number, token);
  }
}

const forwardKey = (token: string): Buffer => Buffer.concat([FORWARD, bytesOfToken(token)]);

function backwardKey(number: number): Buffer {
  const key = Buffer.from([BACKWARD, 0, 0, 0, 0]);
  key.writeUInt32BE(number, 1);
  return key;
}
