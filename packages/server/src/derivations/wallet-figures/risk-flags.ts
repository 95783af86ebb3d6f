import type { MadeValue } from "../../definition/served-buckets.ts";
import { realOfDecimal } from "./amounts.ts";
import type { Timing } from "./entry-figures.ts";
import type { Spread } from "./market-figures.ts";
import { hasEnough, winRateOf, winRateZ } from "./profit-figures.ts";
import type { DaySums } from "./window-sums.ts";

/** Risk points of each flag; raised flags are listed in this order. */
const POINTS = {
  suspicious_win_rate: 25,
  timing_anomaly: 25,
  sybil_risk: 20,
  perfect_timing: 10,
  position_size_volatility: 10,
  single_market_dependence: 10,
};
const LEVELS = [
  { most: 15, level: "LOW" },
  { most: 40, level: "MEDIUM" },
  { most: 65, level: "HIGH" },
];
/** Thresholds above which a flag is raised. */
const LIMITS = {
  winRate: 0.85,
  deviations: 2.7,
  hitRate: 0.7,
  sybilScore: 70,
  timingScore: 0.8,
  variation: 1.5,
  concentration: 0.8,
};
const MIN_MARKETS = 3;

type Flag = keyof typeof POINTS;
type Shown = {
  readonly sums: DaySums;
  readonly timing: Timing;
  readonly spread: Spread;
  readonly sybilScore: number;
};

/** Flags that name patterns of trading, and the sum of their points. */
export function flagFields(shown: Shown): Readonly<Record<string, MadeValue>> {
  const flags = flagsOf(shown);
  const raised = (Object.keys(POINTS) as Flag[]).filter((flag) => flags[flag]);
  const risk = raised.reduce((sum, flag) => sum + POINTS[flag], 0);
  return {
    ...Object.fromEntries(Object.entries(flags).map(([flag, isRaised]) => [`${flag}_flag`, isRaised])),
    combined_risk_score: risk,
    risk_level: LEVELS.find(({ most }) => risk <= most)?.level ?? "CRITICAL",
    flagged_metrics: `{${raised.join(",")}}`,
  };
}

/** Unknown values raise no flag. */
const isAbove = (value: number | null, limit: number): boolean => value !== null && value > limit;

function flagsOf({ sums, timing, spread, sybilScore }: Shown): Record<Flag, boolean> {
  const winRate = winRateOf(sums);
  return {
    suspicious_win_rate:
      isAbove(winRate && realOfDecimal(winRate), LIMITS.winRate) &&
      hasEnough(sums) &&
      isAbove(winRateZ(sums), LIMITS.deviations),
    timing_anomaly: isAbove(timing.z, LIMITS.deviations) && isAbove(timing.hitRate, LIMITS.hitRate),
    sybil_risk: sybilScore > LIMITS.sybilScore,
    perfect_timing: isAbove(timing.score, LIMITS.timingScore),
    position_size_volatility: isAbove(spread.variation, LIMITS.variation),
    single_market_dependence: isAbove(spread.concentration, LIMITS.concentration) && spread.traded >= MIN_MARKETS,
  };
}
