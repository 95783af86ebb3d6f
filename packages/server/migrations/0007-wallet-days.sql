-- What wallets did and held, by day, and the last prices of tokens by day.
CREATE TABLE wallet_token_days (
  wallet FixedString(20) CODEC(ZSTD(1)),
  day Date CODEC(Delta, ZSTD(1)),
  token_id UInt256 CODEC(ZSTD(1)),
  condition_id FixedString(32) CODEC(ZSTD(1)),
  first_at DateTime('UTC') CODEC(Delta, ZSTD(1)),
  last_at DateTime('UTC') CODEC(Delta, ZSTD(1)),
  buys UInt32 CODEC(Delta, ZSTD(1)),
  sells UInt32 CODEC(Delta, ZSTD(1)),
  maker_fills UInt32 CODEC(Delta, ZSTD(1)),
  other_events UInt32 CODEC(Delta, ZSTD(1)),
  shares_bought Decimal64(6) CODEC(ZSTD(1)),
  bought_usd Decimal64(6) CODEC(ZSTD(1)),
  shares_sold Decimal64(6) CODEC(ZSTD(1)),
  sold_usd Decimal64(6) CODEC(ZSTD(1)),
  maker_usd Decimal64(6) CODEC(ZSTD(1)),
  bought_usd_squared Float64 CODEC(ZSTD(1)),
  fee_usd Decimal64(6) CODEC(ZSTD(1)),
  split_usd Decimal64(6) CODEC(ZSTD(1)),
  merged_usd Decimal64(6) CODEC(ZSTD(1)),
  redeemed_usd Decimal64(6) CODEC(ZSTD(1)),
  converted_usd Decimal64(6) CODEC(ZSTD(1)),
  shares_in Decimal64(6) CODEC(ZSTD(1)),
  shares_out Decimal64(6) CODEC(ZSTD(1)),
  unmatched_shares Decimal64(6) CODEC(ZSTD(1)),
  realized_usd Decimal64(6) CODEC(ZSTD(1)),
  realized_fifo_usd Decimal64(6) CODEC(ZSTD(1)),
  cash_usd Decimal64(6) CODEC(ZSTD(1)),
  shares Decimal64(6) CODEC(ZSTD(1)),
  cost_usd Decimal64(6) CODEC(ZSTD(1)),
  cost_fifo_usd Decimal64(6) CODEC(ZSTD(1)),
  lots Array(Tuple(shares Decimal64(6), cost_usd Decimal64(6))) CODEC(ZSTD(1)),
  payout Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  position_opened_at Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  position_pnl_usd Decimal64(6) CODEC(ZSTD(1)),
  position_bought_usd Decimal64(6) CODEC(ZSTD(1)),
  is_gone Bool,
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (wallet, day, token_id)
SETTINGS index_granularity = 1024;

CREATE TABLE wallet_condition_days (
  wallet FixedString(20) CODEC(ZSTD(1)),
  day Date CODEC(Delta, ZSTD(1)),
  condition_id FixedString(32) CODEC(ZSTD(1)),
  opened_at DateTime('UTC') CODEC(Delta, ZSTD(1)),
  ended_at DateTime('UTC') CODEC(Delta, ZSTD(1)),
  wins UInt32 CODEC(Delta, ZSTD(1)),
  losses UInt32 CODEC(Delta, ZSTD(1)),
  evens UInt32 CODEC(Delta, ZSTD(1)),
  resolved UInt32 CODEC(Delta, ZSTD(1)),
  pnl_usd Decimal64(6) CODEC(ZSTD(1)),
  bought_usd Decimal64(6) CODEC(ZSTD(1)),
  is_gone Bool,
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (wallet, day, condition_id)
SETTINGS index_granularity = 1024;

CREATE TABLE wallet_days (
  wallet FixedString(20) CODEC(ZSTD(1)),
  day Date CODEC(Delta, ZSTD(1)),
  first_at Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  last_at Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  buys UInt32 CODEC(Delta, ZSTD(1)),
  sells UInt32 CODEC(Delta, ZSTD(1)),
  maker_fills UInt32 CODEC(Delta, ZSTD(1)),
  other_events UInt32 CODEC(Delta, ZSTD(1)),
  wins UInt32 CODEC(Delta, ZSTD(1)),
  losses UInt32 CODEC(Delta, ZSTD(1)),
  bought_usd Decimal64(6) CODEC(ZSTD(1)),
  sold_usd Decimal64(6) CODEC(ZSTD(1)),
  maker_usd Decimal64(6) CODEC(ZSTD(1)),
  bought_usd_squared Float64 CODEC(ZSTD(1)),
  fee_usd Decimal64(6) CODEC(ZSTD(1)),
  realized_usd Decimal64(6) CODEC(ZSTD(1)),
  realized_fifo_usd Decimal64(6) CODEC(ZSTD(1)),
  cash_usd Decimal64(6) CODEC(ZSTD(1)),
  cash_total_usd Decimal64(6) CODEC(ZSTD(1)),
  realized_total_usd Decimal64(6) CODEC(ZSTD(1)),
  fee_total_usd Decimal64(6) CODEC(ZSTD(1)),
  open_cost_usd Decimal64(6) CODEC(ZSTD(1)),
  open_value_usd Decimal64(6) CODEC(ZSTD(1)),
  open_tokens UInt32 CODEC(Delta, ZSTD(1)),
  unmarked_tokens UInt32 CODEC(Delta, ZSTD(1)),
  is_estimated Bool,
  is_gone Bool,
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (day, wallet)
SETTINGS index_granularity = 1024;

CREATE TABLE wallet_days_by_wallet (
  wallet FixedString(20) CODEC(ZSTD(1)),
  day Date CODEC(Delta, ZSTD(1)),
  first_at Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  last_at Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  buys UInt32 CODEC(Delta, ZSTD(1)),
  sells UInt32 CODEC(Delta, ZSTD(1)),
  maker_fills UInt32 CODEC(Delta, ZSTD(1)),
  other_events UInt32 CODEC(Delta, ZSTD(1)),
  wins UInt32 CODEC(Delta, ZSTD(1)),
  losses UInt32 CODEC(Delta, ZSTD(1)),
  bought_usd Decimal64(6) CODEC(ZSTD(1)),
  sold_usd Decimal64(6) CODEC(ZSTD(1)),
  maker_usd Decimal64(6) CODEC(ZSTD(1)),
  bought_usd_squared Float64 CODEC(ZSTD(1)),
  fee_usd Decimal64(6) CODEC(ZSTD(1)),
  realized_usd Decimal64(6) CODEC(ZSTD(1)),
  realized_fifo_usd Decimal64(6) CODEC(ZSTD(1)),
  cash_usd Decimal64(6) CODEC(ZSTD(1)),
  cash_total_usd Decimal64(6) CODEC(ZSTD(1)),
  realized_total_usd Decimal64(6) CODEC(ZSTD(1)),
  fee_total_usd Decimal64(6) CODEC(ZSTD(1)),
  open_cost_usd Decimal64(6) CODEC(ZSTD(1)),
  open_value_usd Decimal64(6) CODEC(ZSTD(1)),
  open_tokens UInt32 CODEC(Delta, ZSTD(1)),
  unmarked_tokens UInt32 CODEC(Delta, ZSTD(1)),
  is_estimated Bool,
  is_gone Bool,
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (wallet, day)
SETTINGS index_granularity = 1024;

CREATE TABLE token_days (
  token_id UInt256 CODEC(ZSTD(1)),
  day Date CODEC(Delta, ZSTD(1)),
  trade_close Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  mid_close Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  mark Decimal64(6) CODEC(ZSTD(1)),
  volume_usd Decimal64(6) CODEC(ZSTD(1)),
  trade_count UInt32 CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (token_id, day)
SETTINGS index_granularity = 1024;

