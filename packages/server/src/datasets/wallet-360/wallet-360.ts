import { LEDGER_TABLES } from "../shared-profit.ts";
import { defineDataset } from "../../definition/dataset.ts";
import { MAX_LIST } from "../../definition/param.ts";
import { choice, day, wallet } from "../../definition/param-kinds.ts";
import { byField } from "../../definition/sorting.ts";
import { WINDOW_LENGTHS } from "../../derivations/wallet-window/wallet-window.ts";
import { polymarketIncome } from "../../tables/polymarket-income.ts";
import { polymarketIncomeWallets } from "../../tables/polymarket-income-wallets.ts";
import { tokenDays } from "../../tables/token-days.ts";
import { walletEntries } from "../../tables/wallet-entries.ts";
import { walletPatterns } from "../../tables/wallet-patterns.ts";
import { walletScores } from "../../tables/wallet-scores.ts";
import { columnTypes } from "./column-types.ts";
import { ownFields } from "./own-fields.ts";
import { patternFields } from "./pattern-fields.ts";
import { profitFields, riskFields, figure } from "./figure-fields.ts";
import { walletScoreLeaderboard } from "../wallet-score-leaderboard.ts";
import { servedWallet360 } from "../served-wallet-360.ts";
import { formulaOf } from "../formula-of.ts";
import { id, int, num, type Column } from "../../definition/column.ts";

const usd = () => num("USD");
const POSITIONS = "bought notional by market (condition)";

/** Markets, sizes and concentration. */
const sizeFields: Readonly<Record<string, Column>> = {
  markets_traded: int().describe("Markets (conditions) with a fill."),
  num_markets_traded: int().describe("The same as markets_traded."),
  avg_trade_size: figure("total_invested / total_trades; null without a trade.", "USD"),
  avg_market_exposure: figure("total_invested / markets_traded; null without a market.", "USD"),
  trade_size_stdev: usd().maybe("Sample standard deviation of the notional of buy fills; null under two."),
  stddev_position_size: figure(`Sample standard deviation of ${POSITIONS}; null under two markets.`, "USD"),
  coefficient_of_variation: figure(`stddev_position_size / mean of ${POSITIONS}; null under two markets.`),
  position_size_consistency: figure("max(0, 1 − coefficient_of_variation); null if that is.", "0 to 1"),
  max_position_pct: figure(`Largest share of ${POSITIONS}; null if nothing was bought.`, "percent"),
  dominant_market_id: id().maybe("Condition with the largest |profit|; null where no market has any."),
  dominant_market_pnl: usd().maybe("Profit of that market."),
  best_market_pnl: usd().maybe("Largest profit of a market; null without a market."),
  worst_market_pnl: usd().maybe("Smallest profit of a market."),
  market_concentration_ratio: figure(
    "|dominant_market_pnl| / Σ |profit| over markets; null where no market has any.",
    "0 to 1",
  ),
  category_diversity_score: figure(
    "−Σ s log₂ s with s = |profit| of a finest category / Σ |profit|; null if none has any.",
    "bits",
  ),
};

const shown = { order: [byField("proxy_wallet")], types: columnTypes };

export const wallet360 = defineDataset({
  agentId: 581,
  name: "wallet-360",
  title: "Wallet 360",
  summary:
    "All figures of a wallet over a window of days ending on any day: profit, risk, concentration, timing, patterns. A wallet without any event by then has no row.",
  plan: "free",
  params: {
    proxy_wallet: wallet().list().required().describe("Proxy wallet, or a list of them."),
    window_days: choice(...WINDOW_LENGTHS)
      .default("7")
      .describe("Length of the window in UTC days, its last day included."),
    as_of: day().untilToday().describe("Last UTC day of the window; today if omitted."),
  },
  row: { ...profitFields, ...sizeFields, ...riskFields, ...patternFields, ...ownFields },
  neverNull: "figures",
  // One row per wallet: all requested wallets are returned even without a limit.
  limit: { default: MAX_LIST, max: MAX_LIST },
  cost: { base: 2, each: 0.15, window: "window_days", days: 365 },
  order: "proxy_wallet ascending",
  tables: [
    ...LEDGER_TABLES,
    walletEntries,
    walletPatterns,
    walletScores,
    tokenDays,
    polymarketIncome,
    polymarketIncomeWallets,
  ],
  venue: "polymarket",
  asOf: "as_of",
  served: { ...servedWallet360(true), ...shown },
  withheld: { field: "wallet_score", of: walletScoreLeaderboard, served: { ...servedWallet360(false), ...shown } },
  formula: formulaOf("wallet-360"),
  notes: [
    "An undefined ratio is null, never 0 or infinity; profit_factor, win_rate_z_score and flags are the exceptions that clients expect.",
    "Seven days say little about a wallet: check win_rate_z_score, edge_low and edge_high before the figures themselves.",
    "Flags name patterns of trading, not motives.",
  ],
  related: [584, 586, 1001, 1003, 569],
  guide: "profit",
  examples: [
    { title: "The last seven days", params: { proxy_wallet: "<wallet>" } },
    {
      title: "Fifteen days as of a day",
      params: {
        proxy_wallet: "<wallet>",
        window_days: "15",
        as_of: "<yesterday>",
      },
    },
  ],
});
