import type { Day } from "./calm.ts";
import type { Judge } from "./pool.ts";
import { createResampler } from "./resample.ts";
import type { ScoreEvent } from "./score-event.ts";
import { scoreOf } from "./score-weights.ts";
import { seededRandom } from "./seeded-random.ts";

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
 * Bounds (5 % and 95 %) of a score: events are drawn anew with replacement, 200 times, days likewise for the risk part;
 * the pool stays as it is. The same seed gives the same bounds.
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
