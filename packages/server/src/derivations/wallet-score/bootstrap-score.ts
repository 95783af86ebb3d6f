import type { Day } from "./measures.ts";
import type { Judge } from "./pool.ts";
import { createResampler } from "./resample.ts";
import type { ScoreEvent } from "./score-event.ts";
import { scoreOf } from "./score-weights.ts";

/** Random integers below a bound, reproducible by seed text (FNV-1a into mulberry32). For resampling, not secrets. */
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

export const SAMPLES = 200;
export const OUTSIDE = 0.05;

type Resampled = {
  readonly events: readonly ScoreEvent[];
  readonly days: readonly Day[];
  readonly prior: number;
  readonly penalty: number;
  readonly judge: Judge;
  readonly seed: string;
};

/**
 * Bounds (5 % and 95 %) of a score: events are redrawn with replacement, 200 times, and days likewise for the risk
 * part; the pool is fixed. The same seed gives the same bounds.
 */
export function bootstrapScore({ events, days, prior, penalty, judge, seed }: Resampled): [number, number] {
  const draw = createResampler(events, days, seededRandom(seed));
  const scores = new Float64Array(SAMPLES);
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const { parts } = judge(draw(), prior);
    scores[sample] = scoreOf(parts, penalty);
  }
  scores.sort();
  const at = (share: number): number => scores[Math.round(share * (SAMPLES - 1))] ?? 0;
  return [at(OUTSIDE), at(1 - OUTSIDE)];
}
