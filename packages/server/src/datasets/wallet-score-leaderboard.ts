import { dec, hexId, int, list, num, text } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { choice, day, decimal, minOf, sorting, wallet, whole, words } from "../definition/param-kinds.ts";
import { weights } from "../definition/weights-param.ts";
import { PARTS } from "../derivations/wallet-score/score-factors.ts";
import { walletDays } from "../tables/wallet-days.ts";
import { walletEntries } from "../tables/wallet-entries.ts";
import { walletScores } from "../tables/wallet-scores.ts";
import { walletTokenDays } from "../tables/wallet-token-days.ts";
import { contextFields, fees } from "./shared-profit.ts";
import { formulaOf } from "./formula-of.ts";
import { scoreOrder, SORT_WORDS } from "./score-orders.ts";
import { servedScoreLeaderboard } from "./served-score-leaderboard.ts";

const MAX = 100_000_000_000;

export const walletScoreLeaderboard = defineDataset({
  agentId: 584,
  name: "wallet-score-leaderboard",
  title: "Leaderboard of wallet scores",
  summary:
    "Wallets ranked by our published score (docs/score.md): 35 % skill, 20 % profit, 20 % risk, 15 % breadth, 10 % timing.",
  plan: "pro",
  params: {
    wallet: wallet()
      .list()
      .describe(
        "Only these wallets, if in the pool or active, with their ranks in the whole pool; filters of figures then have no defaults.",
      ),
    min_win_rate_15d: minOf(decimal(0, 1)).default("0.45", "wallet").off().describe("Minimum win rate."),
    max_win_rate_15d: decimal(0, 1).default("0.95", "wallet").off().describe("Maximum win rate."),
    min_roi_15d: decimal(-MAX, MAX).default("0", "wallet").off().describe("ROI in percent is above this."),
    min_total_trades_15d: minOf(whole(0, MAX)).default("50", "wallet").off().describe("Minimum trades."),
    max_total_trades_15d: whole(0, MAX).default("20000", "wallet").off().describe("Maximum trades."),
    min_pnl_15d: decimal(-MAX, MAX).default("5000", "wallet").off().describe("Realised profit in USD is above this."),
    sort_by: sorting(...SORT_WORDS)
      .spelt({ hscore: "h_score" })
      .default("h_score")
      .describe("Field to sort rows by, descending."),
    category: words().describe(
      'Scores within a category and its ranked pool, e.g. "Sports / Tennis", in any letter case; all if omitted.',
    ),
    as_of: day()
      .untilToday()
      .describe(
        "Last UTC day of the fifteen; today if omitted: figures are seconds behind the fills, as in 581, scores up to an hour.",
      ),
    window_days: choice("15").describe("Days of the window; there is only one length."),
    weights: weights(...PARTS).describe(
      "Custom weights of the score's parts, e.g. skill:0.6,risk:0.4; the stored percentiles are reweighted and the pool is ranked by that.",
    ),
  },
  row: {
    leaderboard_rank: int().maybe(
      "Rank by h_score in the whole ranked pool, regardless of filters; null outside of it.",
    ),
    wallet: hexId().describe("Wallet, lower case."),
    tier: text().maybe("Elite from a score of 70, Sharp from 50, Solid from 35, else Emerging; null without a score."),
    h_score: dec(3, "0 to 100").maybe(
      "100 · Σ weight · percentile in the pool × penalties (docs/score.md); null under 20 independent fills in markets resolved in the window.",
    ),
    roi_pct_15d: dec(1, "percent").maybe("total_pnl_15d / total_volume_15d; null if nothing was bought."),
    win_rate_pct_15d: dec(1, "percent").maybe(
      "wins / (wins + losses) of positions (wallet × condition) that ended; null if none did.",
    ),
    sharpe_ratio_15d: dec(2).maybe("mean(r) / sd(r) × √365 of daily returns; null under two days."),
    total_trades_15d: int().describe("Buy and sell fills."),
    markets_traded_15d: int().describe("Markets (conditions) with a fill."),
    total_pnl_15d: dec(2, "USD").describe("Realised by average cost less fees."),
    total_volume_15d: dec(2, "USD").describe("Notional of buy fills."),
    trajectory: text().describe(
      "improving, stable or declining: profit of the later half of the days against the earlier half.",
    ),
    score_low: dec(3, "0 to 100").maybe(
      "5 % bound of h_score by bootstrap over events; null with custom weights, and for scores of a version that stored no data for it.",
    ),
    score_high: dec(3, "0 to 100").maybe("95 % bound of h_score; null with custom weights."),
    reasons: list().describe(
      "Reasons for the score: high_ and low_ parts (upper and lower fifth), significant_edge (q ≤ 0.1), no_closing_price, few_days, wash_pattern, sybil_pattern, farmer_pattern, both_sides_maker, wide_interval. Without a score: insufficient_sample, or no_pool if no wallet is ranked in the category on as_of or the day before.",
    ),
    sharpe_probability: num("0 to 1").maybe(
      "Probability that the true sharpe_ratio_15d is above 0; null under three days or if all returns are equal.",
    ),
    ...contextFields("as_of"),
    fees: fees("the fifteen days"),
  },
  neverNull: "figures",
  limit: { default: 50, max: 1000 },
  cost: { base: 2, past: 10 },
  order: "sort_by (h_score) descending, then leaderboard_rank",
  tables: [walletScores, walletDays, walletTokenDays],
  venue: "polymarket",
  alsoReads: [walletEntries],
  asOf: "as_of",
  served: { ...servedScoreLeaderboard, order: (p) => scoreOrder(p.sort_by) },
  formula: formulaOf("wallet-score-leaderboard"),
  notes: [
    "Fifteen days of a binary market are mostly luck: read score_low and score_high, not h_score alone.",
    "Scores of the current day are computed hourly; an as_of before today changes only through late rows.",
    "A wallet in the pool through markets resolved in the fifteen days, but inactive in these days, has 0 trades and null ratios.",
    "The defaults of the filters exclude most wallets (min_pnl_15d 5000, min_total_trades_15d 50): send ALL for each to see all.",
  ],
  related: [1006, 581, 579],
  guide: "score",
  examples: [
    { title: "The best of the last fifteen days", params: {} },
    {
      title: "A wallet's score and rank",
      params: { wallet: "<scored_wallet>", as_of: "<yesterday>" },
    },
    { title: "Skill and risk only, wallets in profit", params: { weights: "skill:0.6,risk:0.4", min_pnl_15d: "0" } },
  ],
});
