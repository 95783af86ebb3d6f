-- What wallets bought in resolved markets.
CREATE TABLE wallet_entries (
  wallet FixedString(20) CODEC(ZSTD(1)),
  day Date CODEC(Delta, ZSTD(1)),
  token_id UInt256 CODEC(ZSTD(1)),
  condition_id FixedString(32) CODEC(ZSTD(1)),
  event_key UInt64 CODEC(Delta, ZSTD(1)),
  category LowCardinality(String),
  payout Decimal64(6) CODEC(ZSTD(1)),
  shares Decimal64(6) CODEC(ZSTD(1)),
  bought_usd Decimal64(6) CODEC(ZSTD(1)),
  maker_usd Decimal64(6) CODEC(ZSTD(1)),
  entries UInt32 CODEC(Delta, ZSTD(1)),
  edge_sum Decimal64(6) CODEC(ZSTD(1)),
  cost_sum Decimal64(6) CODEC(ZSTD(1)),
  variance_sum Decimal64(6) CODEC(ZSTD(1)),
  brier_sum Decimal64(6) CODEC(ZSTD(1)),
  clv_entries UInt32 CODEC(Delta, ZSTD(1)),
  clv_sum Decimal64(6) CODEC(ZSTD(1)),
  clv_edge_sum Decimal64(6) CODEC(ZSTD(1)),
  later_entries UInt32 CODEC(Delta, ZSTD(1)),
  later_sum Decimal64(6) CODEC(ZSTD(1)),
  later_edge_sum Decimal64(6) CODEC(ZSTD(1)),
  later_cost_sum Decimal64(6) CODEC(ZSTD(1)),
  later_variance_sum Decimal64(6) CODEC(ZSTD(1)),
  is_gone Bool,
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (day, wallet, token_id)
SETTINGS index_granularity = 2048;

CREATE TABLE wallet_entries_by_wallet (
  wallet FixedString(20) CODEC(ZSTD(1)),
  day Date CODEC(Delta, ZSTD(1)),
  token_id UInt256 CODEC(ZSTD(1)),
  condition_id FixedString(32) CODEC(ZSTD(1)),
  event_key UInt64 CODEC(Delta, ZSTD(1)),
  category LowCardinality(String),
  payout Decimal64(6) CODEC(ZSTD(1)),
  shares Decimal64(6) CODEC(ZSTD(1)),
  bought_usd Decimal64(6) CODEC(ZSTD(1)),
  maker_usd Decimal64(6) CODEC(ZSTD(1)),
  entries UInt32 CODEC(Delta, ZSTD(1)),
  edge_sum Decimal64(6) CODEC(ZSTD(1)),
  cost_sum Decimal64(6) CODEC(ZSTD(1)),
  variance_sum Decimal64(6) CODEC(ZSTD(1)),
  brier_sum Decimal64(6) CODEC(ZSTD(1)),
  clv_entries UInt32 CODEC(Delta, ZSTD(1)),
  clv_sum Decimal64(6) CODEC(ZSTD(1)),
  clv_edge_sum Decimal64(6) CODEC(ZSTD(1)),
  later_entries UInt32 CODEC(Delta, ZSTD(1)),
  later_sum Decimal64(6) CODEC(ZSTD(1)),
  later_edge_sum Decimal64(6) CODEC(ZSTD(1)),
  later_cost_sum Decimal64(6) CODEC(ZSTD(1)),
  later_variance_sum Decimal64(6) CODEC(ZSTD(1)),
  is_gone Bool,
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (wallet, day, token_id)
SETTINGS index_granularity = 1024;
