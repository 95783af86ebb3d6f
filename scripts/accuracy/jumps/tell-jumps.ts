import { LEAST_MOVE, type Method } from "./alarms.ts";
import type { TrueJump } from "./jump-world.ts";
import type { Judged, JudgedAlarm, JudgedJump } from "./score-alarms.ts";

/** What a method found of some jumps with alarms of at least a score. */
export type Tally = {
  readonly method: Method;
  /** Least score: −ln p (robust), standard deviations (z-score), percent (candle). */
  readonly threshold: number;
  readonly alarms: number;
  readonly false_alarms: number;
  readonly found: number;
  readonly jumps: number;
  readonly which: string;
};

type Which = {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly slow: number;
  readonly fast: number;
  /** Only what the quotes showed so much of (USD). */
  readonly shown?: number;
};

/** The jumps that count: by size (USD) and by trades a minute in the hour before. */
const AIM: Which = { name: "8 points or more, a trade a minute", least: 0.08, most: 1, slow: 1, fast: Infinity };
const PARTS: readonly Which[] = [
  { ...AIM, name: "  of which the quotes showed 5 points", shown: LEAST_MOVE },
  { ...AIM, name: "  8 to 15 points, a trade a minute", most: 0.15 },
  { ...AIM, name: "  15 to 25 points, a trade a minute", least: 0.15, most: 0.25 },
  { ...AIM, name: "  25 points or more, a trade a minute", least: 0.25 },
  { ...AIM, name: "  8 points or more, under 0.3 trades a minute", slow: 0, fast: 0.3 },
  { ...AIM, name: "  8 points or more, 0.3 to 1 trades a minute", slow: 0.3, fast: 1 },
  { ...AIM, name: "  8 points or more, 2 trades a minute or more", slow: 2 },
];
const THRESHOLDS = [1e-3, 1e-6, 1e-9, 1e-12, 1e-15].map((p) => -Math.log(p));

const isOf = ({ least, most, slow, fast, shown = 0 }: Which, judged: JudgedJump): boolean =>
  judged.shown >= shown && isSized({ least, most, slow, fast }, judged.jump);

const isSized = ({ least, most, slow, fast }: Omit<Which, "name">, { size, perMinute }: TrueJump): boolean =>
  Math.abs(size) >= least && Math.abs(size) < most && perMinute >= slow && perMinute < fast;

/** Precision and recall of every method at as many alarms as the robust one raises at its thresholds; then by part. */
export function tell(all: ReadonlyMap<Method, Judged>): Tally[] {
  const robust = all.get("robust");
  if (robust === undefined) throw new TypeError("nothing of the robust method");
  const best = bestThreshold(robust);
  const levels = [...THRESHOLDS, best].sort((a, b) => a - b);
  const rows = levels.flatMap((threshold) => {
    const alarms = within(robust, AIM).filter(({ score }) => score >= threshold).length;
    return [...all].map(([method, judged]) =>
      tally(method, judged, AIM, method === "robust" ? threshold : scoreOf(judged, alarms)),
    );
  });
  return [...rows, ...PARTS.map((part) => tally("robust", robust, part, best))];
}

const within = ({ alarms }: Judged, { slow, fast }: Which) =>
  alarms.filter(({ perMinute }) => perMinute >= slow && perMinute < fast);

/** The score that so many alarms reach. */
const scoreOf = (judged: Judged, count: number): number => within(judged, AIM)[Math.max(0, count - 1)]?.score ?? 0;

function tally(method: Method, judged: Judged, which: Which, threshold: number): Tally {
  const alarms = within(judged, which).filter(({ score }) => score >= threshold);
  const jumps = judged.jumps.filter((jump) => isOf(which, jump));
  return {
    method,
    threshold,
    alarms: alarms.length,
    false_alarms: alarms.filter(({ isTrue }) => !isTrue).length,
    found: jumps.filter(({ score }) => score !== undefined && score >= threshold).length,
    jumps: jumps.length,
    which: which.name,
  };
}

/** The threshold at which the harmonic mean of precision and recall is largest. */
export function bestThreshold(judged: Judged): number {
  let best = { mean: -1, threshold: 0 };
  for (const { score } of within(judged, AIM)) {
    const { alarms, false_alarms, found, jumps } = tally("robust", judged, AIM, score);
    const precision = (alarms - false_alarms) / alarms;
    const recall = found / Math.max(1, jumps);
    const mean = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
    if (mean > best.mean) best = { mean, threshold: score };
  }
  return best.threshold;
}

/** What counts toward the aim and was not found, and what was raised there for nothing. */
export const missedJumps = ({ jumps }: Judged, threshold: number): JudgedJump[] =>
  jumps.filter((jump) => isOf(AIM, jump) && (jump.score === undefined || jump.score < threshold));
export const falseAlarms = (judged: Judged, threshold: number): JudgedAlarm[] =>
  within(judged, AIM).filter(({ score, isTrue }) => score >= threshold && !isTrue);
