import { dec, hexId, int, num } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { choice, day, decimal, minOf, sorting, wallet, whole } from "../definition/param-kinds.ts";
import { WINDOW_LENGTHS } from "../derivations/wallet-window/wallet-window.ts";
import { walletDays } from "../tables/wallet-days.ts";
import { walletTokenDays } from "../tables/wallet-token-days.ts";
import { fees } from "./shared-profit.ts";
import { formulaOf } from "./formula-of.ts";
import { boardOrder, servedPnlLeaderboard } from "./served-pnl-leaderboard.ts";

const MAX = 100_000_000_000;
const usd = (): ReturnType<typeof decimal> => decimal(-MAX, MAX);

export const pnlLeaderboard = defineDataset({
  agentId: 579,
  name: "pnl-leaderboard",
  title: "Leaderboard of profit and loss",
  summary: "All wallets with an event in a period, ranked by realised profit: complete, and as of any day in the past.",
  plan: "free",
  params: {
    wallet_address: wallet().list().describe("Only these wallets, with their ranks among all."),
    leaderboard_period: choice(...WINDOW_LENGTHS.map((one) => (one === "all" ? one : `${one}d`)))
      .default("7d")
      .describe("Number of UTC days up to as_of, that day included."),
    min_total_pnl: usd().describe("Minimum total_pnl in USD."),
    max_total_pnl: usd().describe("Maximum total_pnl in USD."),
    min_win_rate: minOf(decimal(0, 1)).describe("Minimum win_rate."),
    max_win_rate: decimal(0, 1).describe("Maximum win_rate."),
    min_sharpe_ratio: decimal(-1_000_000, 1_000_000).describe("Minimum sharpe_ratio."),
    max_sharpe_ratio: decimal(-1_000_000, 1_000_000).describe("Maximum sharpe_ratio."),
    min_total_trades: minOf(whole(0, MAX)).alias("min_trades").describe("Minimum total_trades."),
    max_total_trades: whole(0, MAX).alias("max_trades").describe("Maximum total_trades."),
    sort_by: sorting("total_pnl", "total_trades").describe(
      "Field to sort rows by, descending; total_pnl if omitted. rank is always by total_pnl.",
    ),
    as_of: day()
      .untilToday()
      .describe(
        "Last UTC day of the period; today if omitted, as far as wallets' days are computed: seconds behind the fills, as in 581.",
      ),
  },
  row: {
    rank: int().describe("Rank by total_pnl among all wallets of the period, regardless of filters; ties by address."),
    address: hexId().describe("Wallet, lower case."),
    total_pnl: dec(4, "USD").describe(
      "Σ (realised by average cost − fees) over the period; losing shares count at resolution.",
    ),
    roi: dec(6, "fraction").maybe("total_pnl / total_invested; null if nothing was bought."),
    win_rate: dec(4, "0 to 1").maybe(
      "wins / (wins + losses) of positions (wallet × condition) that ended; null if none did.",
    ),
    sharpe_ratio: dec(4).maybe(
      "mean(r) / sd(r) × √365 with r = daily PnL, marked to market, / (value held before + the larger of purchases and net cash paid that day), over days with at least $1 of that; null under two such days.",
    ),
    total_invested: dec(2, "USD").describe("Notional of buy fills."),
    avg_trade_size: dec(2, "USD").maybe("total_invested / total_trades; null without a trade."),
    total_trades: int().describe("Buy and sell fills."),
    markets_traded: int().describe("Markets (conditions) with a fill."),
    sharpe_probability: num("0 to 1").maybe(
      "Probability that the true sharpe_ratio is above 0, from these daily returns; null under three of them or if all are equal.",
    ),
    fees: fees("the period"),
  },
  neverNull: "figures",
  limit: { default: 50, max: 1000 },
  cost: { base: 2, past: 15, window: "leaderboard_period", days: 365 },
  order: "rank, or total_trades descending and then rank",
  tables: [walletDays, walletTokenDays],
  venue: "polymarket",
  asOf: "as_of",
  served: { ...servedPnlLeaderboard, order: (p) => boardOrder(p.sort_by) },
  formula: formulaOf("pnl-leaderboard"),
  notes: [
    "Realised profit only: open shares count when they are sold or resolved. wallet-360 has unrealized_pnl.",
    "The current day counts up to now; compare past periods by as_of.",
  ],
  related: [581, 584, 569],
  guide: "profit",
  examples: [
    { title: "The last seven days", params: {} },
    {
      title: "A wallet's rank over all time",
      params: { wallet_address: "<wallet>", leaderboard_period: "all" },
    },
    {
      title: "Steady winners as of a day",
      params: { leaderboard_period: "30d", as_of: "<yesterday>", min_sharpe_ratio: "2" },
    },
  ],
});
