import type { Formula } from "../../definition/formula.ts";
import { PATTERN } from "../../derivations/patterns/pattern-constants.ts";

const { wash, sybil } = PATTERN;

/** Edge, timing, likeness and risk points of a wallet. */
export const wallet360PatternFormula: readonly Formula[] = [
  {
    title: "Edge",
    fields: ["edge", "edge_low", "edge_high", "brier_advantage"],
    says: [
      "Of each event: e = Σ shares · (payout − price paid) / Σ shares over what was bought in markets resolved in the window. `edge` = mean of e over events; `edge_low` and `edge_high` = `edge` ∓ 1.96 · sd(e) / √events.",
      "`brier_advantage` = mean of 2 · e · ē − ē², with ē the mean e of the wallet's other events: by how much squared errors of the prices paid shrink when each is moved by it.",
    ],
  },
  {
    title: "Timing",
    fields: [
      "clv",
      "perfect_timing_score",
      "timing_hit_rate",
      "timing_z_score",
      "suspicious_timing_trades",
      "total_timed_trades",
    ],
    says: [
      "A timed entry is what a wallet bought of a token in an hour at 0.05 to 0.95, before the window of the closing price ended: at the event's start (where it was not resolved before), else a day before the deadline or the resolution, whichever came first. close is the volume-weighted price of the 24 hours before that.",
      "`clv` = mean of (close − price) over timed entries. By token, with g = Σ (close − price): `timing_hit_rate` = share of n tokens with g > 0; `timing_z_score` = (hits − n/2) / √(n/4), from n = 10 on; `perfect_timing_score` = Σ max(g, 0) / Σ |g|, from five tokens on.",
      "`suspicious_timing_trades` counts timed entries of tokens whose close was at least 0.20 above the prices paid.",
    ],
  },
  {
    title: "Patterns",
    fields: ["sybil_risk_score", "similar_wallets_count", "wash_volume_share"],
    says: [
      `As of the window's end, from ${PATTERN.days} days. \`sybil_risk_score\` = 100 · min(1, share of entries alike beyond chance with the closest wallet / ${sybil.fullShare}) · min(1, their number / ${sybil.fullEchoes}) · size (0.75 for two wallets, 1 for three and more). Wallets are tied by ${sybil.pairs} entries alike and more, ${sybil.lift} times what chance gives.`,
      `\`wash_volume_share\` = notional matched within the wallet's closed cluster / its notional; wallets are tied by ${wash.pairs} matches with each other and more, ${wash.pairShare * 100} % of the fills of both.`,
      "They are patterns, not proof: see the guide on patterns for rules and base rates.",
    ],
  },
  {
    title: "Flags and risk",
    fields: [
      "suspicious_win_rate_flag",
      "timing_anomaly_flag",
      "sybil_risk_flag",
      "perfect_timing_flag",
      "position_size_volatility_flag",
      "single_market_dependence_flag",
      "combined_risk_score",
      "risk_level",
      "flagged_metrics",
    ],
    says: [
      "`suspicious_win_rate_flag`: `win_rate` > 0.85 and `win_rate_z_score` > 2.7. `timing_anomaly_flag`: `timing_z_score` > 2.7 and `timing_hit_rate` > 0.7. `sybil_risk_flag`: `sybil_risk_score` > 70. `perfect_timing_flag`: `perfect_timing_score` > 0.8. `position_size_volatility_flag`: `coefficient_of_variation` > 1.5. `single_market_dependence_flag`: `market_concentration_ratio` > 0.8 and `markets_traded` ≥ 3.",
      "`combined_risk_score` = 10 · size volatility + 10 · single market + 10 · perfect timing + 20 · sybil + 25 · win rate + 25 · timing anomaly. `risk_level`: LOW to 15, MEDIUM to 40, HIGH to 65, CRITICAL from 70.",
    ],
  },
  {
    title: "Marks, income and the check of the books",
    fields: [
      "unrealized_pnl",
      "pnl_status",
      "pnl_residual_usd",
      "income_usd",
      "settled_pnl",
      "economic_pnl",
      "wallet_score",
    ],
    says: [
      "`unrealized_pnl` = Σ shares · mark − cost of what is held. `settled_pnl` = `total_pnl` + `income_usd`; `economic_pnl` = `settled_pnl` + `unrealized_pnl`.",
      "`pnl_residual_usd` = |realised − fees − cost of what is held − cash|, where cash = Σ sold − Σ bought − fees + redeemed + merged − split, over the whole history; what was got for shares that were never held is in cash and not in realised. `pnl_status`: unreconciled where the difference without that is above 0.01 + 0.0001 × events; else estimated where shares moved between wallets or left without having been held, a result is the catalogue's alone, or the fee of a fill is not known; else exact.",
      "`wallet_score` is h_score of 584 as of the window's end or the day before.",
    ],
  },
];
