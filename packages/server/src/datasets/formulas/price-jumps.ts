import type { Formula } from "../../definition/formula.ts";
import { CUSUM_ALLOWANCE } from "../../derivations/price-changes/cusum-sql.ts";
import { EXTENTS } from "../../derivations/price-changes/extents.ts";
import { HALF_TICK } from "../../derivations/price-changes/framed-sql.ts";
import { REGIME_BUCKETS } from "../../derivations/price-changes/jumps-sql.ts";
import {
  LEAST_RETURNS,
  LEAST_STEP,
  LEAST_VOLUME,
  USUAL_RETURNS,
  USUAL_VARIANCE,
} from "../../derivations/price-changes/moves-sql.ts";
import { NEAR_SECONDS } from "../../derivations/social-read/posts-near-sql.ts";

const { window, lately, drift, reverted } = EXTENTS;

const ENDS =
  "None that ends after trading or the question was over, nor one to within 0.02 of the payout that ends in the day before: a resolution is no jump.";

export const priceJumpsFormula: readonly Formula[] = [
  {
    title: "candle",
    fields: ["change_pct", "direction", "price_before", "price_after", "volume", "trade_count"],
    says: [
      "`price_after` = close of the bucket, `price_before` = close of the last bucket before that had a trade. `change_pct` = (`price_after` − `price_before`) / `price_before` × 100; a row where |`change_pct`| ≥ `min_change_pct` and, where it is sent, `p_value` ≤ `max_p_value`.",
      ENDS,
    ],
  },
  {
    title: "robust: the test",
    fields: ["statistic", "p_value", "price_before", "price_after"],
    says: [
      `p = middle of the bucket's last quotes, else its last trade, kept within ${HALF_TICK.text} and 1 − ${HALF_TICK.text}. x = ln(p / (1 − p)); r = change of x from bucket to bucket, 0 over a pause of more than ${drift} buckets.`,
      `σ² = (π/2 · Σ|r_j||r_j−1| + ${USUAL_RETURNS.text}u) / (n − 2 + ${USUAL_RETURNS.text}) over the ${window} buckets before the ${drift} that a move may take, n returns of them, at least ${LEAST_RETURNS.text}; the same over the last ${lately} of these where that is more. u = ${USUAL_VARIANCE.text} · length of a bucket in days: what is usual of a market of which nothing is known.`,
      `A move of x has z = |move|/σ scales, but at most |change of p| / ${LEAST_STEP.text}: no more is known of a price.`,
      "Jump (Lee and Mykland 2008): L = z of the last bucket / √(2/π); P = 1 − exp(−exp(−(L − C)/S)), C = √(2 ln n)/c − (ln π + ln ln n)/(2c√(2 ln n)), S = 1/(c√(2 ln n)), c = √(2/π).",
      `Drift: H = the largest, over the last 1 to ${drift} buckets, of z − ${CUSUM_ALLOWANCE.text} · buckets; P = 1 − exp(−2n/ARL), ARL = (e^2h − 2h − 1)/2, h = H + 1.166 (Siegmund).`,
      "`p_value` = min(1, 2 · the lesser P); `statistic` is that test's L or H with the sign of the move. Normal, independent returns are supposed; real ones have heavier tails, so take 10⁻⁶ rather than 0.05.",
    ],
  },
  {
    title: "robust: which moves are rows",
    fields: ["jump_time", "volume_ratio"],
    says: [
      `One a move: only the least likely within ${drift} buckets to either side. \`volume_ratio\` = shares a bucket of the move / the usual of the window, at least ${LEAST_VOLUME.text} where that is known; nothing traded is no jump.`,
      ENDS,
      `None from the bucket before the start of an event to ${REGIME_BUCKETS + drift} buckets after: the scale before a game says nothing of the game.`,
    ],
  },
  {
    title: "Many tests",
    fields: ["q_value"],
    says: [
      "Benjamini-Hochberg over all moves in the range, before `min_change_pct` and `max_p_value`: at place k by `p_value`, `q_value` = min over places from k on of (`p_value` · tests / place), at most 1. tests = Σ 1/n over all tested buckets, since a p-value is that of the largest of n.",
    ],
  },
  {
    title: "Afterwards and around",
    fields: ["reverted", "posts_near"],
    says: [
      `\`reverted\`: a price of the next ${reverted} buckets reached halfway back from \`price_after\` to \`price_before\`.`,
      `\`posts_near\` = posts about the market within ${NEAR_SECONDS / 60} minutes before and after \`jump_time\`; null unless a social source was gathered all that while.`,
    ],
  },
];
