const USD = "Decimal(38, 6)";
const MAYBE_USD = `Nullable(${USD})`;
const MAYBE_RATIO = "Nullable(Decimal(38, 12))";
const CATEGORY = [
  "roi Nullable(Float64)",
  "category String",
  "win_rate Nullable(Float64)",
  `total_pnl ${USD}`,
  "total_trades UInt64",
  "losing_trades UInt64",
  `total_invested ${USD}`,
  "winning_trades UInt64",
  "total_buy_trades UInt64",
  "total_sell_trades UInt64",
];

/** Engine types of fields in Parquet and Arrow, where their kind does not determine them (see ServedKeyed). */
export const columnTypes: Readonly<Record<string, string>> = {
  calculation_window_days: "UInt32",
  total_trades: "Int64",
  total_buy_trades: "Int64",
  total_sell_trades: "Int64",
  total_invested: USD,
  total_pnl: USD,
  roi: MAYBE_RATIO,
  winning_trades: "Int64",
  losing_trades: "Int64",
  win_rate: MAYBE_RATIO,
  win_rate_z_score: "Nullable(Float64)",
  markets_traded: "UInt32",
  num_markets_traded: "UInt32",
  avg_trade_size: MAYBE_RATIO,
  dominant_market_pnl: MAYBE_USD,
  best_market_pnl: MAYBE_USD,
  worst_market_pnl: MAYBE_USD,
  days_active: "Int64",
  pnl_last_30day: USD,
  similar_wallets_count: "Int64",
  performance_by_category: `Array(Tuple(${CATEGORY.join(", ")}))`,
  unrealized_pnl: "Decimal(38, 12)",
  fees_usd: USD,
  fees: USD,
  income_usd: MAYBE_USD,
  settled_pnl: MAYBE_USD,
  economic_pnl: MAYBE_RATIO,
};
