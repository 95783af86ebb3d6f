/** Random numbers from a seed: the same seed gives the same sequence (mulberry32). */
export type Random = {
  readonly below: (bound: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
  readonly chance: (probability: number) => boolean;
  readonly text: (length: number) => string;
};

const ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  const pick = <T>(items: readonly T[]): T => {
    if (items.length === 0) throw new RangeError("nothing to pick from");
    return items[below(items.length)] as T;
  };
  return {
    below,
    pick,
    chance: (probability) => next() < probability,
    text: (length) => Array.from({ length }, () => ALPHABET[below(ALPHABET.length)]).join(""),
  };
}
