-- Newest figures of markets, patterns of wallets, prices before resolutions, and wallets' days in order of the token.
CREATE TABLE token_hours (
  token_id UInt256 CODEC(ZSTD(1)),
  hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
  volume_usd Decimal64(6) CODEC(ZSTD(1)),
  trade_count UInt32 CODEC(Delta, ZSTD(1)),
  close Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  wallets Array(UInt64) CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (token_id, hour)
SETTINGS index_granularity = 512;

CREATE TABLE market_snapshots (
  condition_id FixedString(32) CODEC(ZSTD(1)),
  slug String CODEC(ZSTD(1)),
  question String CODEC(ZSTD(1)),
  end_date Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  created_at Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  updated_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
  market_active Bool,
  market_closed Bool,
  volume_24h Decimal64(6) CODEC(ZSTD(1)),
  volume_7d Decimal64(6) CODEC(ZSTD(1)),
  wash_usd_7d Decimal64(6) CODEC(ZSTD(1)),
  trades_7d UInt32 CODEC(Delta, ZSTD(1)),
  peak_hour_trades UInt32 CODEC(Delta, ZSTD(1)),
  unique_traders_7d UInt32 CODEC(Delta, ZSTD(1)),
  price_volatility Nullable(Float64) CODEC(ZSTD(1)),
  liquidity_percentile Nullable(Float64) CODEC(ZSTD(1)),
  holders UInt32 CODEC(Delta, ZSTD(1)),
  open_interest Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  top1_share Nullable(Float64) CODEC(ZSTD(1)),
  top3_share Nullable(Float64) CODEC(ZSTD(1)),
  top10_share Nullable(Float64) CODEC(ZSTD(1)),
  hhi Nullable(Float64) CODEC(ZSTD(1)),
  yes_avg_pnl Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  no_avg_pnl Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  net_pnl Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  profit_loss_ratio Nullable(Float64) CODEC(ZSTD(1)),
  spread Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  depth_usd_2c Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  thin_depth_usd Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  slippage_1k Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  brier_to_date Nullable(Float64) CODEC(ZSTD(1)),
  credibility Nullable(Float64) CODEC(ZSTD(1)),
  credibility_reasons Array(String) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (condition_id)
SETTINGS index_granularity = 256;

CREATE TABLE market_snapshots_versions (
  condition_id FixedString(32) CODEC(ZSTD(1)),
  slug String CODEC(ZSTD(1)),
  question String CODEC(ZSTD(1)),
  end_date Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  created_at Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  updated_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
  market_active Bool,
  market_closed Bool,
  volume_24h Decimal64(6) CODEC(ZSTD(1)),
  volume_7d Decimal64(6) CODEC(ZSTD(1)),
  wash_usd_7d Decimal64(6) CODEC(ZSTD(1)),
  trades_7d UInt32 CODEC(Delta, ZSTD(1)),
  peak_hour_trades UInt32 CODEC(Delta, ZSTD(1)),
  unique_traders_7d UInt32 CODEC(Delta, ZSTD(1)),
  price_volatility Nullable(Float64) CODEC(ZSTD(1)),
  liquidity_percentile Nullable(Float64) CODEC(ZSTD(1)),
  holders UInt32 CODEC(Delta, ZSTD(1)),
  open_interest Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  top1_share Nullable(Float64) CODEC(ZSTD(1)),
  top3_share Nullable(Float64) CODEC(ZSTD(1)),
  top10_share Nullable(Float64) CODEC(ZSTD(1)),
  hhi Nullable(Float64) CODEC(ZSTD(1)),
  yes_avg_pnl Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  no_avg_pnl Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  net_pnl Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  profit_loss_ratio Nullable(Float64) CODEC(ZSTD(1)),
  spread Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  depth_usd_2c Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  thin_depth_usd Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  slippage_1k Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  brier_to_date Nullable(Float64) CODEC(ZSTD(1)),
  credibility Nullable(Float64) CODEC(ZSTD(1)),
  credibility_reasons Array(String) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  superseded_at DateTime('UTC')
)
ENGINE = MergeTree
ORDER BY (condition_id, version)
TTL superseded_at + INTERVAL 24 HOUR;

CREATE TABLE wallet_trade_days (
  day Date CODEC(Delta, ZSTD(1)),
  wallet FixedString(20) CODEC(ZSTD(1)),
  fills UInt32 CODEC(Delta, ZSTD(1)),
  usd Decimal64(6) CODEC(ZSTD(1)),
  maker_fills UInt32 CODEC(Delta, ZSTD(1)),
  maker_usd Decimal64(6) CODEC(ZSTD(1)),
  entries UInt32 CODEC(Delta, ZSTD(1)),
  bought_shares Decimal64(6) CODEC(ZSTD(1)),
  bought_usd Decimal64(6) CODEC(ZSTD(1)),
  sure_usd Decimal64(6) CODEC(ZSTD(1)),
  markets UInt32 CODEC(Delta, ZSTD(1)),
  quoted_markets UInt32 CODEC(Delta, ZSTD(1)),
  two_sided_markets UInt32 CODEC(Delta, ZSTD(1)),
  set_events UInt32 CODEC(Delta, ZSTD(1)),
  is_gone Bool,
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (day, wallet)
SETTINGS index_granularity = 1024;

CREATE TABLE wallet_pair_days (
  day Date CODEC(Delta, ZSTD(1)),
  kind Enum8('match' = 1, 'echo' = 2) CODEC(ZSTD(1)),
  wallet_a FixedString(20) CODEC(ZSTD(1)),
  wallet_b FixedString(20) CODEC(ZSTD(1)),
  condition_id FixedString(32) CODEC(ZSTD(1)),
  n UInt32 CODEC(Delta, ZSTD(1)),
  up UInt32 CODEC(Delta, ZSTD(1)),
  usd Decimal64(6) CODEC(ZSTD(1)),
  expected Float64 CODEC(ZSTD(1)),
  is_gone Bool,
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (day, kind, wallet_a, wallet_b, condition_id)
SETTINGS index_granularity = 1024;

CREATE TABLE wallet_patterns (
  day Date CODEC(Delta, ZSTD(1)),
  wallet FixedString(20) CODEC(ZSTD(1)),
  pattern Enum8('wash' = 1, 'sybil' = 2, 'farmer' = 3, 'both_sides' = 4) CODEC(ZSTD(1)),
  score Float64 CODEC(ZSTD(1)),
  cluster FixedString(20) CODEC(ZSTD(1)),
  cluster_size UInt32 CODEC(Delta, ZSTD(1)),
  n UInt32 CODEC(Delta, ZSTD(1)),
  share Float64 CODEC(ZSTD(1)),
  base_rate Float64 CODEC(ZSTD(1)),
  parts String CODEC(ZSTD(1)),
  is_gone Bool,
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (day, wallet, pattern)
SETTINGS index_granularity = 1024;

CREATE TABLE wallet_patterns_by_wallet (
  day Date CODEC(Delta, ZSTD(1)),
  wallet FixedString(20) CODEC(ZSTD(1)),
  pattern Enum8('wash' = 1, 'sybil' = 2, 'farmer' = 3, 'both_sides' = 4) CODEC(ZSTD(1)),
  score Float64 CODEC(ZSTD(1)),
  cluster FixedString(20) CODEC(ZSTD(1)),
  cluster_size UInt32 CODEC(Delta, ZSTD(1)),
  n UInt32 CODEC(Delta, ZSTD(1)),
  share Float64 CODEC(ZSTD(1)),
  base_rate Float64 CODEC(ZSTD(1)),
  parts String CODEC(ZSTD(1)),
  is_gone Bool,
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (wallet, day, pattern)
SETTINGS index_granularity = 1024;

CREATE TABLE calibration_prices (
  day Date CODEC(Delta, ZSTD(1)),
  venue Enum8('polymarket' = 1, 'kalshi' = 2) CODEC(ZSTD(1)),
  market String CODEC(ZSTD(1)),
  horizon_hours UInt32 CODEC(Delta, ZSTD(1)),
  category String CODEC(ZSTD(1)),
  price Decimal64(6) CODEC(ZSTD(1)),
  payout Decimal64(6) CODEC(ZSTD(1)),
  is_gone Bool,
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (day, venue, market, horizon_hours)
SETTINGS index_granularity = 1024;

CREATE TABLE wallet_token_days_by_token (
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
ORDER BY (token_id, wallet, day)
SETTINGS index_granularity = 1024;
