import { asOfDay } from "../../definition/as-of-day.ts";
import { defineDataset, type OrderKey } from "../../definition/dataset.ts";
import { choice, day, wallet } from "../../definition/param-kinds.ts";
import { storedAs } from "../../definition/filter.ts";
import { sql } from "../../definition/sql.ts";
import { walletProfileSql } from "../../derivations/wallet-window/wallet-profile-sql.ts";
import { withColumns } from "../../derivations/wallet-window/with-columns.ts";
import { lengthOf, WINDOW_LENGTHS } from "../../derivations/wallet-window/wallet-window.ts";
import { polymarketIncome } from "../../tables/polymarket-income.ts";
import { polymarketIncomeWallets } from "../../tables/polymarket-income-wallets.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { tokenDays } from "../../tables/token-days.ts";
import { walletConditionDays } from "../../tables/wallet-condition-days.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { walletEntries } from "../../tables/wallet-entries.ts";
import { walletPatterns } from "../../tables/wallet-patterns.ts";
import { walletScores } from "../../tables/wallet-scores.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { ownFields } from "./own-fields.ts";
import { flagRules, patternFields, riskRule } from "./pattern-fields.ts";
import { profitFields } from "./profit-fields.ts";
import { riskFields } from "./risk-fields.ts";
import { formulaOf } from "../formula-of.ts";
import { id, int, num } from "../../definition/column.ts";
import { field, type Field } from "./field.ts";

const usd = () => num("USD");
const POSITIONS = "bought notional by market (condition)";

/** Markets, sizes and concentration. */
const sizeFields: Readonly<Record<string, Field>> = {
  markets_traded: field(int().describe("Markets (conditions) with a fill."), "coalesce(markets_traded, 0)"),
  num_markets_traded: field(int().describe("The same as markets_traded."), "coalesce(markets_traded, 0)"),
  avg_trade_size: field(
    usd().maybe().describe("total_invested / total_trades; null without a trade."),
    "round(avg_trade_usd, 6)",
  ),
  avg_market_exposure: field(
    usd().maybe().describe("total_invested / markets_traded; null without a market."),
    "round(toFloat64(invested_usd) / nullIf(markets_traded, 0), 6)",
  ),
  trade_size_stdev: field(
    usd().maybe().describe("Sample standard deviation of the notional of the fills that bought; null under two."),
    "if(buys < 2, NULL, round(sqrt(greatest(0, (bought_usd_squared - pow(toFloat64(invested_usd), 2) / buys) / (buys - 1))), 6))",
  ),
  stddev_position_size: field(
    usd().maybe().describe(`Sample standard deviation of ${POSITIONS}; null under two markets.`),
    "round(stake_sd, 6)",
  ),
  coefficient_of_variation: field(
    num().maybe().describe(`stddev_position_size / mean of ${POSITIONS}; null under two markets.`),
    "round(stake_sd / stake_mean, 6)",
  ),
  position_size_consistency: field(
    num("0 to 1").maybe().describe("max(0, 1 − coefficient_of_variation); null where that is."),
    "round(if(stake_sd > stake_mean, 0, 1 - stake_sd / stake_mean), 6)",
  ),
  max_position_pct: field(
    num("percent").maybe().describe(`Largest share of ${POSITIONS}; null if nothing was bought.`),
    "round(100 * stake_max_share, 6)",
  ),
  dominant_market_id: field(
    id().maybe().describe("Condition with the largest |profit|; null where no market has any."),
    "dominant_id",
  ),
  dominant_market_pnl: field(usd().maybe().describe("Its profit."), "dominant_pnl"),
  best_market_pnl: field(
    usd().maybe().describe("Largest profit of a market; null without a market."),
    "best_market_pnl",
  ),
  worst_market_pnl: field(usd().maybe().describe("Smallest profit of a market."), "worst_market_pnl"),
  market_concentration_ratio: field(
    num("0 to 1").maybe().describe("|dominant_market_pnl| / Σ |profit| over markets; null where no market has any."),
    "round(concentration, 6)",
  ),
  category_diversity_score: field(
    num("bits")
      .maybe()
      .describe("−Σ s log₂ s with s = |profit| of a finest category over Σ |profit|; null where none has any."),
    "round(category_entropy, 6)",
  ),
};

const fields = Object.entries({ ...profitFields, ...sizeFields, ...riskFields, ...patternFields, ...ownFields });

const byWallet: OrderKey[] = [
  {
    by: sql`wallet`,
    direction: "asc",
    stored: storedAs.wallet,
    value: (row) => String(row["proxy_wallet"]),
  },
];

export const wallet360 = defineDataset({
  agentId: 581,
  name: "wallet-360",
  title: "Wallet 360",
  summary:
    "All figures of a wallet over a window of days that ends on any day: profit, risk, concentration, timing, patterns. A wallet without any event by then has no row.",
  plan: "free",
  params: {
    proxy_wallet: wallet().list().required().describe("Proxy wallet, or a list of them."),
    window_days: choice(...WINDOW_LENGTHS)
      .default("7")
      .describe("Length of the window in UTC days, its last day included."),
    as_of: day().off("ALL").describe("Last UTC day of the window; today without it."),
  },
  row: Object.fromEntries(fields.map(([name, { column }]) => [name, column])),
  limit: { default: 1, max: 200 },
  isDeep: true,
  order: "proxy_wallet ascending",
  tables: [
    walletDays,
    walletTokenDays,
    walletConditionDays,
    walletEntries,
    walletPatterns,
    walletScores,
    tokenDays,
    polymarketMarkets,
    polymarketIncome,
    polymarketIncomeWallets,
  ],
  asOf: "as_of",
  query: (p, asking) => ({
    select: Object.fromEntries(fields.map(([name, { from }]) => [name, from])),
    from: withColumns(
      walletProfileSql({
        days: lengthOf(p.window_days),
        asOf: asOfDay(p.as_of, asking.now),
        wallets: p.proxy_wallet,
      }),
      flagRules,
      riskRule,
    ),
    order: byWallet,
  }),
  formula: formulaOf("wallet-360"),
  notes: [
    "A ratio that is undefined is null, never 0 and never infinity; profit_factor, win_rate_z_score and flags are the exceptions that clients expect.",
    "Seven days say little of a wallet: compare win_rate_z_score, edge_low and edge_high before the figures themselves.",
    "Flags name patterns of trading, not motives.",
  ],
  related: [584, 586, 1001, 1003, 569],
  guide: "profit",
  examples: [
    { title: "The last seven days", params: { proxy_wallet: "0x007b44a74a8d915a4cd7cff5c07ce881e4d9adc6" } },
    {
      title: "Fifteen days as of a day",
      params: {
        proxy_wallet: "0x007b44a74a8d915a4cd7cff5c07ce881e4d9adc6",
        window_days: "15",
        as_of: "2026-06-28",
      },
    },
  ],
});
