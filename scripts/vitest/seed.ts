import { randomInt } from "node:crypto";

/** Seed of all random values in tests, and of the order of test files: printed by each run, set with TEST_SEED. */
export function testSeed(): number {
  const given = process.env["TEST_SEED"];
  if (given === undefined || given === "") {
    const drawn = randomInt(1, 2 ** 31);
    process.env["TEST_SEED"] = String(drawn);
    return drawn;
  }
  const seed = Number(given);
  if (!Number.isSafeInteger(seed)) throw new Error(`TEST_SEED is ${given}: expected a whole number`);
  return seed;
}

/** Returns a generator of numbers in [0, 1), the same sequence for the same seed (mulberry32). */
export function seededRandom(seed: number = testSeed()): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
