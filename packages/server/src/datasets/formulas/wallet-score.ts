import type { Formula } from "../../definition/formula.ts";
import { OUTSIDE, SAMPLES } from "../../derivations/wallet-score/bootstrap-score.ts";
import { MOST_OF_ALL } from "../../derivations/wallet-score/capped-profit.ts";
import { LEAST_ENTRIES, PATTERN_DAYS, WINDOW_DAYS } from "../../derivations/wallet-score/eligible-sql.ts";
import { FARMER, FARMER_ENTRY, MAKER_SHARE } from "../../derivations/wallet-score/penalties.ts";
import { LEAST_SCALE } from "../../derivations/wallet-score/pool.ts";
import { LEAST_DAYS } from "../../derivations/wallet-score/probabilistic-sharpe.ts";
import { HIGH, LOW, SIGNIFICANT, WIDE } from "../../derivations/wallet-score/reasons.ts";
import { SCORE_WEIGHTS } from "../../derivations/wallet-score/score-weights.ts";
import { LEAST_BETWEEN, LOWER_TENTH } from "../../derivations/wallet-score/shrinkage.ts";
import { LUCK_REMOVED, WITHOUT_LATER_WEIGHT } from "../../derivations/wallet-score/skill-sums.ts";
import { PROBABILISTIC_SHARPE } from "./sharpe-probability.ts";

/** The fields of a row that has the score; a dataset may lack some of them. */
type Named = Readonly<
  Record<"score" | "entries" | "skill" | "profit" | "risk" | "rest" | "factors", readonly string[]>
>;

const weights = Object.entries(SCORE_WEIGHTS)
  .map(([part, weight]) => `${weight} ${part}`)
  .join(", ");
const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** The wallet score from its entries to its bounds, with every constant. */
export const walletScore = (named: Named): readonly Formula[] => [
  {
    title: "The score",
    fields: named.score,
    says: [
      `score = max(0, 100 · Σ weight · percentile × penalties), weights ${weights}. Each percentile is the share of the pool below, those equal counted half; what is undefined counts as 0.5.`,
      `The window is a UTC day and the ${WINDOW_DAYS - 1} before it. The pool is every wallet with at least ${LEAST_ENTRIES} independent fills; others have no score. Filters never change a score or a rank.`,
      `Bounds are the ${percent(OUTSIDE)} and ${percent(1 - OUTSIDE)} points of ${SAMPLES} bootstrap samples: events drawn with replacement, days drawn with replacement for risk. They are seeded, so a rerun gives the same.`,
      `Words of the reasons: high_ at a percentile of ${HIGH} and more, low_ at ${LOW} and less; significant_edge at q ≤ ${SIGNIFICANT}; wide_interval where the bounds are more than ${WIDE} apart.`,
    ],
  },
  {
    title: "Entries",
    fields: named.entries,
    says: [
      "Buys by fills of tokens whose market was resolved in the window. Those of one token by one wallet within a clock hour are one entry (an independent fill) at their mean price p; entries at p ≥ 0.95 or ≤ 0.05 are left out. o is the payout of a share.",
      "m is the volume-weighted price of the market in the 24 hours after the entry's hour.",
    ],
  },
  skillFormula(named.skill),
  {
    title: "Profit",
    fields: named.profit,
    says: [
      `Σ over markets of min(profit, ${MOST_OF_ALL} · Σ gains): no market's gain counts for more; losses count whole.`,
    ],
  },
  {
    title: "Risk",
    fields: named.risk,
    says: [
      `The mean of two percentiles: of ${PROBABILISTIC_SHARPE}, the probability that the true Sharpe ratio of T daily returns is above 0 (null under ${LEAST_DAYS}), and of 1 − deepest fall of the summed daily profit / largest capital of a day.`,
    ],
  },
  {
    title: "Breadth and timing",
    fields: named.rest,
    says: [
      "Breadth = 1 / Σ share² of the entries by event: how many events of equal size they would be.",
      "Timing = mean of (closing price − p) over entries before the close. The closing price is the volume-weighted price of the 24 hours that end at the event's start (where it was not resolved before), else a day before the deadline or the resolution, whichever came first.",
    ],
  },
  {
    title: "Penalties",
    fields: named.factors,
    says: [
      `Pattern scores are 0 to 100 and hold for ${PATTERN_DAYS} days (docs: patterns). Wash and sybil: 1 − score/100 each. Farmer: ${FARMER} where the average price of all shares bought in the markets resolved in the window is ${FARMER_ENTRY} or more, else 1 − ${FARMER} · score/100. Making markets on both sides: 1 − ${MAKER_SHARE} · score/100.`,
      "The words say what trading looks like, not why.",
    ],
  },
];

const skillFormula = (fields: readonly string[]): Formula => ({
  title: "Skill",
  fields: fields,
  says: [
    `edge of an entry = (o − p) − ${LUCK_REMOVED} · (o − m) − one tick − fee a share, with m − p kept within ±0.10: what happened after the decision is mostly luck, and is taken out. An entry without m counts as o − p − costs with weight ${WITHOUT_LATER_WEIGHT}. A wallet's edge is the weighted mean.`,
    `s² = φ · Σ_events(Σω · Σω·p(1 − p)) / (Σω)²: entries of an event share its luck. φ = what events of the pool vary by over what that expects, at least ${LEAST_SCALE}.`,
    `shrunk = μ + (edge − μ) · τ²/(τ² + s²), which is edge · n/(n + k) toward μ with k = n·s²/τ². μ is the mean edge of the pool in the wallet's finest categories; τ² the variance between wallets by Paule and Mandel, at least ${Math.sqrt(LEAST_BETWEEN)}².`,
    `Ranked by the lower 10 % bound: shrunk − ${LOWER_TENTH.toFixed(4)} · √(τ²s²/(τ² + s²)).`,
    "Beside it: z = Σ(o − p) / √Σ p(1 − p), and its Benjamini-Hochberg q over the pool.",
  ],
});
