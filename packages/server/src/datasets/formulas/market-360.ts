import type { Formula } from "../../definition/formula.ts";
import { SLIPPAGE_USD } from "../../derivations/market/books-sql.ts";
import { DEDUCTIONS } from "../../derivations/market/credibility.ts";

const deductions = DEDUCTIONS.map(
  ({ label, most, good, bad }) => `${label}: ${most} · clip((x − ${good}) / (${bad} − ${good}))`,
);

export const market360Formula: readonly Formula[] = [
  {
    title: "Volume and trades",
    fields: [
      "current_volume_24h",
      "current_volume_7d",
      "volume_ratio_24h_to_7d",
      "volume_trend",
      "volume_collapse_risk_flag",
      "unique_traders_7d",
      "trades_per_hour_avg",
      "peak_hour_trades",
      "trade_concentration_flag",
      "volume_adj",
    ],
    says: [
      "Volumes count each match once, over whole clock hours: the running one and the 23 (167) before. `volume_ratio_24h_to_7d` = `current_volume_24h` / (`current_volume_7d` / 7).",
      "`volume_trend`: No Trades where `current_volume_7d` is 0; Dying Interest below a ratio of 0.1, Significant Decline below 0.3, Declining below 0.7, Normal to 2, Spiking above. `volume_collapse_risk_flag`: `market_active` with Dying Interest or Significant Decline. `market_active`: trading is open and the venue calls the market active; `market_closed`: trading is over.",
      "`trades_per_hour_avg` = takers' fills of 168 hours / 168; `trade_concentration_flag`: `peak_hour_trades` ≥ 10 and > 10 × `trades_per_hour_avg`.",
      "`volume_adj` = `current_volume_24h` × (1 − notional matched between wallets with a wash pattern of 50 and more, seven UTC days / `current_volume_7d`), at least 0.",
    ],
  },
  {
    title: "Liquidity and the book",
    fields: [
      "liquidity_percentile",
      "liquidity_tier",
      "liquidity_risk_flag",
      "spread",
      "depth_usd_2c",
      "slippage_1k",
      "micro_price",
      "imbalance",
      "squeeze_risk_flag",
    ],
    says: [
      "`liquidity_percentile` = 100 × markets with less resting liquidity / (markets − 1), over active markets. `liquidity_tier`: Top 5% from 95, Top 25% from 75, Average from 25, Low from 10, else Very Low. `liquidity_risk_flag`: below 25.",
      `Of outcome 0's newest book of the last day: \`spread\` = best ask − best bid; \`depth_usd_2c\` = Σ price × size within 0.02 of the middle; \`slippage_1k\` = the larger, of buying and selling, of |average price of ${String(SLIPPAGE_USD.value)} USD from the book − middle|.`,
      "`micro_price` = (best bid × size of the best ask + best ask × size of the best bid) / both sizes; `imbalance` = (bids − asks) / (bids + asks) of what `depth_usd_2c` adds.",
      "`squeeze_risk_flag`: `whale_control_flag` and `liquidity_risk_flag`.",
    ],
  },
  {
    title: "Holders",
    fields: [
      "top1_wallet_pct",
      "top3_wallet_pct",
      "top10_wallet_pct",
      "whale_control_flag",
      "hhi",
      "effective_traders",
      "open_interest",
    ],
    says: [
      "s = a wallet's open shares of both outcomes / those of all wallets with 0.01 and more. `top1_wallet_pct` = 100 × the largest s; `top3_wallet_pct` and `top10_wallet_pct` = 100 × Σ of the largest. `hhi` = Σ s²; `effective_traders` = 1 / `hhi`.",
      "`whale_control_flag`: `top1_wallet_pct` > 30 or `top3_wallet_pct` > 60. `open_interest` = (shares of outcome 0 + of outcome 1) / 2.",
    ],
  },
  {
    title: "Who gains",
    fields: ["yes_avg_pnl", "no_avg_pnl", "winning_side", "net_pnl", "profit_loss_ratio"],
    says: [
      "profit of a wallet in an outcome = Σ (realised by average cost − fees) + shares × mark − cost. `yes_avg_pnl` and `no_avg_pnl` = its mean over wallets that ever had outcome 0, or 1. `winning_side`: the side with the larger mean.",
      "`net_pnl` = Σ profit over all wallets and both outcomes; `profit_loss_ratio` = Σ profits of wallets ahead / |Σ of those behind|.",
    ],
  },
  {
    title: "Credibility",
    fields: ["credibility", "credibility_reasons"],
    says: [
      "`credibility` = max(0, 100 − Σ deductions), each rounded to 0.01; clip keeps its value between 0 and 1. Null where an input is missing, with its name in `credibility_reasons`. The deductions, x being the input:",
      ...deductions,
    ],
  },
  {
    title: "Brier score to date",
    fields: ["brier_to_date"],
    says: ["Mean of (close − payout)² of outcome 0 over all minutes with a trade before trading ended, minutes alike."],
  },
];
