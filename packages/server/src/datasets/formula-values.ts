import { MIN_FORECASTS } from "../derivations/calibration/reliability-sql.ts";
import { SLIPPAGE_USD } from "../derivations/market/books-sql.ts";
import { DEDUCTIONS } from "../derivations/market/credibility.ts";
import { PATTERN } from "../derivations/patterns/pattern-constants.ts";
import {
  CUSUM_ALLOWANCE,
  HALF_TICK,
  MIN_RETURNS,
  MIN_STEP,
  MIN_VOLUME,
  USUAL_RETURNS,
  USUAL_VARIANCE,
} from "../derivations/price-changes/moves.ts";
import { EXTENTS } from "../derivations/price-changes/buckets.ts";
import { REGIME_BUCKETS } from "../derivations/price-changes/jumps-sql.ts";
import { NEAR_SECONDS } from "../derivations/social-read/posts-near-sql.ts";
import { OUTSIDE, SAMPLES } from "../derivations/wallet-score/bootstrap-score.ts";
import { MAX_OF_ALL, MIN_CAPITAL, MIN_DAYS } from "../derivations/wallet-score/measures.ts";
import { MIN_ENTRIES, PATTERN_DAYS, WINDOW_DAYS } from "../derivations/wallet-score/scored-span-sql.ts";
import { FARMER, FARMER_ENTRY, MAKER_SHARE, SCORE_WEIGHTS } from "../derivations/wallet-score/score-factors.ts";
import { MIN_SCALE, MIN_BETWEEN, LOWER_TENTH } from "../derivations/wallet-score/pool.ts";
import { HIGH, LOW, SIGNIFICANT, WIDE } from "../derivations/wallet-score/reasons.ts";
import { LUCK_REMOVED, WITHOUT_LATER_WEIGHT } from "../derivations/wallet-score/summed-columns.ts";

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Values for {NAME} in the formulas: the constants that the code computes the figures with. */
export const FORMULA_VALUES: Readonly<Record<string, string | number>> = {
  MIN_FORECASTS,
  SLIPPAGE_USD: String(SLIPPAGE_USD.value),
  DEDUCTIONS: DEDUCTIONS.map(
    ({ label, most, good, bad }) => `${label}: ${most} · clip((x − ${good}) / (${bad} − ${good}))`,
  ).join("\n- "),
  EVIDENCE_DAYS: PATTERN.days,
  SYBIL_FULL_SHARE: PATTERN.sybil.fullShare,
  SYBIL_FULL_ECHOES: PATTERN.sybil.fullEchoes,
  SYBIL_PAIRS: PATTERN.sybil.pairs,
  SYBIL_LIFT: PATTERN.sybil.lift,
  WASH_PAIRS: PATTERN.wash.pairs,
  WASH_PAIR_SHARE: percent(PATTERN.wash.pairShare),
  CUSUM_ALLOWANCE,
  HALF_TICK,
  MIN_RETURNS,
  MIN_STEP,
  MIN_VOLUME,
  USUAL_RETURNS,
  USUAL_VARIANCE,
  WINDOW_BUCKETS: EXTENTS.window,
  LATELY_BUCKETS: EXTENTS.lately,
  DRIFT_BUCKETS: EXTENTS.drift,
  REVERTED_BUCKETS: EXTENTS.reverted,
  EVENT_BUCKETS: REGIME_BUCKETS + EXTENTS.drift,
  NEAR_MINUTES: NEAR_SECONDS / 60,
  OUTSIDE: percent(OUTSIDE),
  INSIDE: percent(1 - OUTSIDE),
  SAMPLES,
  MAX_OF_ALL,
  MIN_ENTRIES,
  PATTERN_DAYS,
  DAYS_BEFORE: WINDOW_DAYS - 1,
  MIN_CAPITAL,
  FARMER,
  FARMER_ENTRY,
  MAKER_SHARE,
  MIN_SCALE,
  MIN_DAYS,
  HIGH,
  LOW,
  SIGNIFICANT,
  WIDE,
  SCORE_WEIGHTS: Object.entries(SCORE_WEIGHTS)
    .map(([part, weight]) => `${weight} ${part}`)
    .join(", "),
  MIN_BETWEEN: Math.sqrt(MIN_BETWEEN),
  LOWER_TENTH: LOWER_TENTH.toFixed(4),
  LUCK_REMOVED,
  WITHOUT_LATER_WEIGHT,
};
