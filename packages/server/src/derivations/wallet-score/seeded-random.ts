/** Whole numbers below a bound, the same for the same seed text (FNV-1a into mulberry32). For resampling, not secrets. */
export function seededRandom(seed: string): (bound: number) => number {
  let state = 0x811c_9dc5;
  for (let place = 0; place < seed.length; place += 1) {
    state = Math.imul(state ^ seed.charCodeAt(place), 0x0100_0193);
  }
  return (bound) => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * bound);
  };
}
