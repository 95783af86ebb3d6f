/** Tables that the shards write as lines of JSON: small ones, turned to Parquet at the end. */
export const LINE_TABLES = [
  {
    lines: "markets-*.jsonl",
    file: "markets.parquet",
    structure:
      "condition_id String, market_id String, question String, slug String, outcome_a String, outcome_b String, token_id_a String, token_id_b String, event_id String, event_slug String, event_title String, question_id String, question_index UInt8, questions UInt8, category String, tags Array(String), neg_risk Bool, neg_risk_market_id String, kind String, tick_e4 UInt32, fee_rate_e4 UInt32, created_ms Int64, created_block UInt32, created_block_ms Int64, start_ms Int64, end_ms Int64, closed_ms Nullable(Int64), resolved_ms Nullable(Int64), resolved_block Nullable(UInt32), resolved_block_ms Nullable(Int64), resolved_log_index Nullable(UInt32), resolved_tx String, was_disputed Bool, payout_a Nullable(UInt8), payout_b Nullable(UInt8), volume_micro Int64, last_price_e4 Nullable(UInt32)",
    select: "*",
    order: "created_ms, market_id",
  },
  {
    lines: "markets-*.jsonl",
    file: "events.parquet",
    structure:
      "event_id String, event_slug String, event_title String, category String, tags Array(String), neg_risk Bool, kind String, created_ms Int64, start_ms Int64, end_ms Int64, volume_micro Int64",
    select:
      "event_id, any(event_slug) AS event_slug, any(event_title) AS event_title, any(category) AS category, any(tags) AS tags, any(neg_risk) AS neg_risk, any(kind) AS kind, count() AS markets, min(created_ms) AS created_ms, min(start_ms) AS start_ms, max(end_ms) AS end_ms, sum(volume_micro) AS volume_micro",
    group: "event_id",
    order: "created_ms, event_id",
  },
  {
    lines: "wallets-*.jsonl",
    file: "truth/wallets.parquet",
    structure:
      "wallet String, style String, skill Float64, ring Nullable(UInt32), bankroll_micro Int64, cash_pnl_micro Int64, marked_pnl_micro Int64",
    select: "*",
    order: "wallet",
  },
  {
    lines: "jumps-*.jsonl",
    file: "truth/jumps.parquet",
    structure: "time_ms Int64, condition_id String, before_e4 UInt32, after_e4 UInt32",
    select: "*",
    order: "time_ms, condition_id",
  },
  {
    lines: "markets-*.jsonl",
    file: "truth/resolutions.parquet",
    structure:
      "condition_id String, resolved_ms Nullable(Int64), payout_a Nullable(UInt8), payout_b Nullable(UInt8), was_disputed Bool, probability_a Nullable(Float64)",
    select: "*",
    order: "condition_id",
  },
  {
    lines: "kalshi_markets.jsonl",
    file: "kalshi_markets.parquet",
    structure:
      "ticker String, event_ticker String, series_ticker String, category String, title String, yes_sub_title String, strike_type String, floor_strike Nullable(Float64), cap_strike Nullable(Float64), created_ms Int64, open_ms Int64, close_ms Int64, determined_ms Nullable(Int64), settled_ms Nullable(Int64), status String, result String, settlement_value_e4 Nullable(UInt32), last_price_e4 Nullable(UInt32), volume_cc Int64, open_interest_cc Int64",
    select: "*",
    order: "created_ms, ticker",
  },
] as const;
