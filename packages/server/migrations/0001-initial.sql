CREATE TABLE book_events (
  instrument String CODEC(ZSTD(1)),
  ts DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  seq UInt32 CODEC(Delta, ZSTD(1)),
  kind Enum8('snapshot' = 1, 'change' = 2) CODEC(ZSTD(1)),
  venue Enum8('polymarket' = 1, 'kalshi' = 2) CODEC(ZSTD(1)),
  bids Array(Tuple(price Decimal64(6), size Decimal64(6))) CODEC(ZSTD(1)),
  asks Array(Tuple(price Decimal64(6), size Decimal64(6))) CODEC(ZSTD(1)),
  best_bid Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  best_ask Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  hash String CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1,
  INDEX moments ts TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (instrument, ts, seq)
SETTINGS index_granularity = 512;

CREATE TABLE book_quotes_1m (
  instrument String CODEC(ZSTD(1)),
  minute DateTime('UTC') CODEC(Delta, ZSTD(1)),
  bid_open Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  bid_high Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  bid_low Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  bid_close Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  ask_open Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  ask_high Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  ask_low Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  ask_close Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (instrument, minute)
SETTINGS index_granularity = 1024;

CREATE TABLE kalshi_candles (
  ticker String CODEC(ZSTD(1)),
  period_minutes UInt32 CODEC(Delta, ZSTD(1)),
  end_time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  open Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  high Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  low Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  close Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  mean Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  volume Decimal64(6) CODEC(ZSTD(1)),
  open_interest Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  yes_bid_open Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  yes_bid_high Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  yes_bid_low Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  yes_bid_close Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  yes_ask_open Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  yes_ask_high Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  yes_ask_low Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  yes_ask_close Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (ticker, period_minutes, end_time)
SETTINGS index_granularity = 1024;

CREATE TABLE kalshi_events (
  event_ticker String CODEC(ZSTD(1)),
  series_ticker String CODEC(ZSTD(1)),
  title String CODEC(ZSTD(1)),
  sub_title String CODEC(ZSTD(1)),
  category String CODEC(ZSTD(1)),
  mutually_exclusive Bool,
  strike_date Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (event_ticker);

CREATE TABLE kalshi_markets (
  ticker String CODEC(ZSTD(1)),
  event_ticker String CODEC(ZSTD(1)),
  series_ticker String CODEC(ZSTD(1)),
  title String CODEC(ZSTD(1)),
  status LowCardinality(String),
  result LowCardinality(Nullable(String)),
  last_price Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  yes_bid Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  yes_ask Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  volume Decimal64(6) CODEC(ZSTD(1)),
  volume_24h Decimal64(6) CODEC(ZSTD(1)),
  open_interest Decimal64(6) CODEC(ZSTD(1)),
  settlement_value Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  open_time Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  close_time Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  expiration_time Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  created_time Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  settled_time Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  category String CODEC(ZSTD(1)),
  market_type LowCardinality(String),
  updated_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
  search String MATERIALIZED lowerUTF8(replaceRegexpAll(concat(' ', ticker, ' ', title), '[^\\p{L}\\p{N}]+', ' ')) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1,
  INDEX search_grams search TYPE ngrambf_v1(3, 8192, 2, 0) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (ticker)
SETTINGS index_granularity = 256;

CREATE TABLE kalshi_markets_versions (
  ticker String CODEC(ZSTD(1)),
  event_ticker String CODEC(ZSTD(1)),
  series_ticker String CODEC(ZSTD(1)),
  title String CODEC(ZSTD(1)),
  status LowCardinality(String),
  result LowCardinality(Nullable(String)),
  last_price Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  yes_bid Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  yes_ask Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  volume Decimal64(6) CODEC(ZSTD(1)),
  volume_24h Decimal64(6) CODEC(ZSTD(1)),
  open_interest Decimal64(6) CODEC(ZSTD(1)),
  settlement_value Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  open_time Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  close_time Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  expiration_time Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  created_time Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  settled_time Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  category String CODEC(ZSTD(1)),
  market_type LowCardinality(String),
  updated_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  superseded_at DateTime('UTC')
)
ENGINE = MergeTree
ORDER BY (ticker, version)
TTL superseded_at + INTERVAL 24 HOUR;

CREATE TABLE kalshi_series (
  series_ticker String CODEC(ZSTD(1)),
  title String CODEC(ZSTD(1)),
  category String CODEC(ZSTD(1)),
  frequency LowCardinality(String),
  tags Array(String) CODEC(ZSTD(1)),
  fee_type LowCardinality(String),
  fee_multiplier Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (series_ticker);

CREATE TABLE kalshi_trades (
  created_time DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
  trade_id String CODEC(ZSTD(1)),
  ticker String CODEC(ZSTD(1)),
  count Decimal64(6) CODEC(ZSTD(1)),
  yes_price Decimal64(6) CODEC(ZSTD(1)),
  no_price Decimal64(6) CODEC(ZSTD(1)),
  taker_side Enum8('yes' = 1, 'no' = 2) CODEC(ZSTD(1)),
  is_block_trade Bool,
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(created_time)
ORDER BY (created_time, trade_id)
SETTINGS index_granularity = 2048;

CREATE TABLE kalshi_trades_by_ticker (
  created_time DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
  trade_id String CODEC(ZSTD(1)),
  ticker String CODEC(ZSTD(1)),
  count Decimal64(6) CODEC(ZSTD(1)),
  yes_price Decimal64(6) CODEC(ZSTD(1)),
  no_price Decimal64(6) CODEC(ZSTD(1)),
  taker_side Enum8('yes' = 1, 'no' = 2) CODEC(ZSTD(1)),
  is_block_trade Bool,
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (ticker, created_time, trade_id)
SETTINGS index_granularity = 1024;

CREATE TABLE polymarket_candles_1m (
  token_id UInt256 CODEC(ZSTD(1)),
  minute DateTime('UTC') CODEC(Delta, ZSTD(1)),
  open Decimal64(6) CODEC(ZSTD(1)),
  high Decimal64(6) CODEC(ZSTD(1)),
  low Decimal64(6) CODEC(ZSTD(1)),
  close Decimal64(6) CODEC(ZSTD(1)),
  volume Decimal64(6) CODEC(ZSTD(1)),
  volume_usd Decimal64(6) CODEC(ZSTD(1)),
  price_sum Decimal64(6) CODEC(ZSTD(1)),
  trade_count UInt32 CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (token_id, minute)
SETTINGS index_granularity = 1024;

CREATE TABLE polymarket_events (
  event_id String CODEC(ZSTD(1)),
  slug String CODEC(ZSTD(1)),
  title String CODEC(ZSTD(1)),
  series_slug String CODEC(ZSTD(1)),
  start_date Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  end_date Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  created_date Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  closed Bool,
  active Bool,
  archived Bool,
  volume Decimal64(6) CODEC(ZSTD(1)),
  market_count UInt32 CODEC(Delta, ZSTD(1)),
  neg_risk Bool,
  neg_risk_market_id String CODEC(ZSTD(1)),
  tags Array(String) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (event_id);

CREATE TABLE polymarket_fills (
  ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tx_hash FixedString(32) CODEC(NONE),
  order_hash FixedString(32) CODEC(NONE),
  wallet FixedString(20) CODEC(ZSTD(1)),
  token_id UInt256 CODEC(ZSTD(1)),
  side Enum8('BUY' = 1, 'SELL' = 2) CODEC(ZSTD(1)),
  role Enum8('maker' = 1, 'taker' = 2, 'unknown' = 3) CODEC(ZSTD(1)),
  match_kind Enum8('complementary' = 1, 'mint' = 2, 'merge' = 3, 'unknown' = 4) CODEC(ZSTD(1)),
  shares Decimal64(6) CODEC(ZSTD(1)),
  usd Decimal64(6) CODEC(ZSTD(1)),
  fee_usd Decimal64(6) CODEC(ZSTD(1)),
  block_number UInt32 CODEC(Delta, ZSTD(1)),
  log_index UInt32 CODEC(Delta, ZSTD(1)),
  source Enum8('chain_v1' = 1, 'chain_v2' = 2, 'data_api_v1' = 3, 'data_api_v2' = 4) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(ts)
ORDER BY (ts, tx_hash, order_hash)
SETTINGS index_granularity = 2048;

CREATE TABLE polymarket_fills_by_wallet (
  ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tx_hash FixedString(32) CODEC(NONE),
  order_hash FixedString(32) CODEC(NONE),
  wallet FixedString(20) CODEC(ZSTD(1)),
  token_id UInt256 CODEC(ZSTD(1)),
  side Enum8('BUY' = 1, 'SELL' = 2) CODEC(ZSTD(1)),
  role Enum8('maker' = 1, 'taker' = 2, 'unknown' = 3) CODEC(ZSTD(1)),
  match_kind Enum8('complementary' = 1, 'mint' = 2, 'merge' = 3, 'unknown' = 4) CODEC(ZSTD(1)),
  shares Decimal64(6) CODEC(ZSTD(1)),
  usd Decimal64(6) CODEC(ZSTD(1)),
  fee_usd Decimal64(6) CODEC(ZSTD(1)),
  block_number UInt32 CODEC(Delta, ZSTD(1)),
  log_index UInt32 CODEC(Delta, ZSTD(1)),
  source Enum8('chain_v1' = 1, 'chain_v2' = 2, 'data_api_v1' = 3, 'data_api_v2' = 4) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (wallet, ts, tx_hash, order_hash)
SETTINGS index_granularity = 1024;

CREATE TABLE polymarket_fills_by_token (
  ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tx_hash FixedString(32) CODEC(NONE),
  order_hash FixedString(32) CODEC(NONE),
  wallet FixedString(20) CODEC(ZSTD(1)),
  token_id UInt256 CODEC(ZSTD(1)),
  side Enum8('BUY' = 1, 'SELL' = 2) CODEC(ZSTD(1)),
  role Enum8('maker' = 1, 'taker' = 2, 'unknown' = 3) CODEC(ZSTD(1)),
  match_kind Enum8('complementary' = 1, 'mint' = 2, 'merge' = 3, 'unknown' = 4) CODEC(ZSTD(1)),
  shares Decimal64(6) CODEC(ZSTD(1)),
  usd Decimal64(6) CODEC(ZSTD(1)),
  fee_usd Decimal64(6) CODEC(ZSTD(1)),
  block_number UInt32 CODEC(Delta, ZSTD(1)),
  log_index UInt32 CODEC(Delta, ZSTD(1)),
  source Enum8('chain_v1' = 1, 'chain_v2' = 2, 'data_api_v1' = 3, 'data_api_v2' = 4) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (token_id, ts, tx_hash, order_hash)
SETTINGS index_granularity = 1024;

CREATE TABLE polymarket_markets (
  condition_id FixedString(32) CODEC(ZSTD(1)),
  gamma_id String CODEC(ZSTD(1)),
  question_id String CODEC(ZSTD(1)),
  question String CODEC(ZSTD(1)),
  slug String CODEC(ZSTD(1)),
  event_slug String CODEC(ZSTD(1)),
  start_date Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  end_date Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  event_start Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  closed Bool,
  closed_date Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  active Bool,
  accepting_orders Bool,
  volume_total Decimal64(6) CODEC(ZSTD(1)),
  volume_24h Decimal64(6) CODEC(ZSTD(1)),
  liquidity Decimal64(6) CODEC(ZSTD(1)),
  side_a_outcome String CODEC(ZSTD(1)),
  side_b_outcome String CODEC(ZSTD(1)),
  side_a_token_id UInt256 CODEC(ZSTD(1)),
  side_b_token_id UInt256 CODEC(ZSTD(1)),
  side_a_price Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  side_b_price Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  winning_outcome Nullable(String) CODEC(ZSTD(1)),
  resolution_status LowCardinality(String),
  payout_a Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  category String CODEC(ZSTD(1)),
  tags Array(String) CODEC(ZSTD(1)),
  neg_risk Bool,
  neg_risk_market_id String CODEC(ZSTD(1)),
  resolution_source String CODEC(ZSTD(1)),
  tick_size Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  min_size Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  fee_rate Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  updated_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
  search String MATERIALIZED lowerUTF8(replaceRegexpAll(concat(' ', slug, ' ', question, ' ', event_slug), '[^\\p{L}\\p{N}]+', ' ')) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1,
  INDEX search_grams search TYPE ngrambf_v1(3, 8192, 2, 0) GRANULARITY 1,
  INDEX slugs slug TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (condition_id)
SETTINGS index_granularity = 256;

CREATE TABLE polymarket_markets_versions (
  condition_id FixedString(32) CODEC(ZSTD(1)),
  gamma_id String CODEC(ZSTD(1)),
  question_id String CODEC(ZSTD(1)),
  question String CODEC(ZSTD(1)),
  slug String CODEC(ZSTD(1)),
  event_slug String CODEC(ZSTD(1)),
  start_date Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  end_date Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  event_start Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  closed Bool,
  closed_date Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  active Bool,
  accepting_orders Bool,
  volume_total Decimal64(6) CODEC(ZSTD(1)),
  volume_24h Decimal64(6) CODEC(ZSTD(1)),
  liquidity Decimal64(6) CODEC(ZSTD(1)),
  side_a_outcome String CODEC(ZSTD(1)),
  side_b_outcome String CODEC(ZSTD(1)),
  side_a_token_id UInt256 CODEC(ZSTD(1)),
  side_b_token_id UInt256 CODEC(ZSTD(1)),
  side_a_price Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  side_b_price Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  winning_outcome Nullable(String) CODEC(ZSTD(1)),
  resolution_status LowCardinality(String),
  payout_a Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  category String CODEC(ZSTD(1)),
  tags Array(String) CODEC(ZSTD(1)),
  neg_risk Bool,
  neg_risk_market_id String CODEC(ZSTD(1)),
  resolution_source String CODEC(ZSTD(1)),
  tick_size Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  min_size Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  fee_rate Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  updated_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  superseded_at DateTime('UTC')
)
ENGINE = MergeTree
ORDER BY (condition_id, version)
TTL superseded_at + INTERVAL 24 HOUR;

CREATE TABLE polymarket_prints (
  token_id UInt256 CODEC(ZSTD(1)),
  ts DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  seq UInt32 CODEC(Delta, ZSTD(1)),
  condition_id FixedString(32) CODEC(ZSTD(1)),
  side Enum8('BUY' = 1, 'SELL' = 2) CODEC(ZSTD(1)),
  price Decimal64(6) CODEC(ZSTD(1)),
  shares Decimal64(6) CODEC(ZSTD(1)),
  tx_hash String CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (token_id, ts, price, shares, side, tx_hash, seq)
SETTINGS index_granularity = 1024;

CREATE TABLE polymarket_tokens (
  token_id UInt256 CODEC(ZSTD(1)),
  condition_id FixedString(32) CODEC(ZSTD(1)),
  outcome_index UInt8 CODEC(ZSTD(1)),
  outcome String CODEC(ZSTD(1)),
  slug String CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  INDEX conditions condition_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX slugs slug TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (token_id)
SETTINGS index_granularity = 256;

CREATE DICTIONARY polymarket_token_info (
  token_id UInt256,
  condition_id String,
  outcome_index UInt8,
  outcome String,
  slug String
)
PRIMARY KEY token_id
SOURCE(CLICKHOUSE(USER '@USER@' PASSWORD '@PASSWORD@' DB '@DATABASE@' QUERY 'SELECT token_id, concat(\'0x\', lower(hex(condition_id))) AS condition_id, outcome_index AS outcome_index, outcome AS outcome, slug AS slug FROM @DATABASE@.polymarket_tokens FINAL'))
LAYOUT(COMPLEX_KEY_HASHED())
LIFETIME(MIN 30 MAX 60);
