import type { Judged } from "./judge-alarms.ts";

/** Detection result for a set of jumps, with alarms of at least a given score. */
export type Tally = {
  /** Minimum −ln p. */
  readonly threshold: number;
  readonly alarms: number;
  readonly false_alarms: number;
  readonly found: number;
  readonly jumps: number;
  readonly which: string;
};

/** Selects jumps by size (USD) and by trades per minute in the hour before. */
type Which = {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly slow: number;
  readonly fast: number;
};

const AIM: Which = { name: "8 points or more, a trade a minute", least: 0.08, most: 1, slow: 1, fast: Infinity };
const PARTS: readonly Which[] = [
  { ...AIM, name: "  8 to 15 points, a trade a minute", most: 0.15 },
  { ...AIM, name: "  15 to 25 points, a trade a minute", least: 0.15, most: 0.25 },
  { ...AIM, name: "  25 points or more, a trade a minute", least: 0.25 },
  { ...AIM, name: "  8 points or more, under 0.3 trades a minute", slow: 0, fast: 0.3 },
  { ...AIM, name: "  8 points or more, 0.3 to 1 trades a minute", slow: 0.3, fast: 1 },
  { ...AIM, name: "  8 points or more, 2 trades a minute or more", slow: 2 },
];
const THRESHOLDS = [1e-3, 1e-6, 1e-9, 1e-12, 1e-15].map((p) => -Math.log(p));

/** Precision and recall at several thresholds and at the best one; by subset at the best one. */
export function report(judged: Judged): Tally[] {
  const best = bestThreshold(judged);
  const levels = [...THRESHOLDS, best].sort((a, b) => a - b);
  return [...levels.map((level) => tally(judged, AIM, level)), ...PARTS.map((part) => tally(judged, part, best))];
}

function tally(judged: Judged, which: Which, threshold: number): Tally {
  const { least, most, slow, fast, name } = which;
  const isPaced = (perMinute: number): boolean => perMinute >= slow && perMinute < fast;
  const alarms = judged.alarms.filter(({ score, perMinute }) => score >= threshold && isPaced(perMinute));
  const jumps = judged.jumps.filter(
    ({ jump: { size, perMinute } }) => Math.abs(size) >= least && Math.abs(size) < most && isPaced(perMinute),
  );
  return {
    threshold,
    alarms: alarms.length,
    false_alarms: alarms.filter(({ isTrue }) => !isTrue).length,
    found: jumps.filter(({ score }) => score !== undefined && score >= threshold).length,
    jumps: jumps.length,
    which: name,
  };
}

/** The threshold at which the harmonic mean of precision and recall is largest. */
function bestThreshold(judged: Judged): number {
  let best = { mean: -1, threshold: 0 };
  const scores = judged.alarms.filter(({ perMinute }) => perMinute >= AIM.slow).map(({ score }) => score);
  for (const score of scores.sort((a, b) => b - a)) {
    const { alarms, false_alarms, found, jumps } = tally(judged, AIM, score);
    const precision = (alarms - false_alarms) / alarms;
    const recall = found / Math.max(1, jumps);
    const mean = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
    if (mean > best.mean) best = { mean, threshold: score };
  }
  return best.threshold;
}
