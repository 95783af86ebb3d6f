CREATE TABLE polymarket_position_changes (
  ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tx_hash FixedString(32) CODEC(NONE),
  log_index UInt32 CODEC(Delta, ZSTD(1)),
  kind Enum8('split' = 1, 'merge' = 2, 'conversion' = 3, 'redemption' = 4) CODEC(ZSTD(1)),
  wallet FixedString(20) CODEC(ZSTD(1)),
  stakeholder FixedString(20) CODEC(ZSTD(1)),
  is_inner Bool,
  contract Enum8('conditional_tokens' = 1, 'neg_risk_adapter' = 2) CODEC(ZSTD(1)),
  condition_id FixedString(32) CODEC(ZSTD(1)),
  market_id FixedString(32) CODEC(ZSTD(1)),
  index_set UInt256 CODEC(ZSTD(1)),
  amount Decimal64(6) CODEC(ZSTD(1)),
  usd_delta Decimal64(6) CODEC(ZSTD(1)),
  token_ids Array(UInt256) CODEC(ZSTD(1)),
  token_deltas Array(Decimal64(6)) CODEC(ZSTD(1)),
  block_number UInt32 CODEC(Delta, ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(ts)
ORDER BY (ts, tx_hash, log_index)
SETTINGS index_granularity = 2048;

CREATE TABLE polymarket_position_changes_by_wallet (
  ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tx_hash FixedString(32) CODEC(NONE),
  log_index UInt32 CODEC(Delta, ZSTD(1)),
  kind Enum8('split' = 1, 'merge' = 2, 'conversion' = 3, 'redemption' = 4) CODEC(ZSTD(1)),
  wallet FixedString(20) CODEC(ZSTD(1)),
  stakeholder FixedString(20) CODEC(ZSTD(1)),
  is_inner Bool,
  contract Enum8('conditional_tokens' = 1, 'neg_risk_adapter' = 2) CODEC(ZSTD(1)),
  condition_id FixedString(32) CODEC(ZSTD(1)),
  market_id FixedString(32) CODEC(ZSTD(1)),
  index_set UInt256 CODEC(ZSTD(1)),
  amount Decimal64(6) CODEC(ZSTD(1)),
  usd_delta Decimal64(6) CODEC(ZSTD(1)),
  token_ids Array(UInt256) CODEC(ZSTD(1)),
  token_deltas Array(Decimal64(6)) CODEC(ZSTD(1)),
  block_number UInt32 CODEC(Delta, ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (wallet, ts, tx_hash, log_index)
SETTINGS index_granularity = 1024;

CREATE TABLE polymarket_position_changes_by_condition (
  ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tx_hash FixedString(32) CODEC(NONE),
  log_index UInt32 CODEC(Delta, ZSTD(1)),
  kind Enum8('split' = 1, 'merge' = 2, 'conversion' = 3, 'redemption' = 4) CODEC(ZSTD(1)),
  wallet FixedString(20) CODEC(ZSTD(1)),
  stakeholder FixedString(20) CODEC(ZSTD(1)),
  is_inner Bool,
  contract Enum8('conditional_tokens' = 1, 'neg_risk_adapter' = 2) CODEC(ZSTD(1)),
  condition_id FixedString(32) CODEC(ZSTD(1)),
  market_id FixedString(32) CODEC(ZSTD(1)),
  index_set UInt256 CODEC(ZSTD(1)),
  amount Decimal64(6) CODEC(ZSTD(1)),
  usd_delta Decimal64(6) CODEC(ZSTD(1)),
  token_ids Array(UInt256) CODEC(ZSTD(1)),
  token_deltas Array(Decimal64(6)) CODEC(ZSTD(1)),
  block_number UInt32 CODEC(Delta, ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (condition_id, ts, tx_hash, log_index)
SETTINGS index_granularity = 1024;

CREATE TABLE polymarket_transfers (
  ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tx_hash FixedString(32) CODEC(NONE),
  log_index UInt32 CODEC(Delta, ZSTD(1)),
  place UInt32 CODEC(Delta, ZSTD(1)),
  operator FixedString(20) CODEC(ZSTD(1)),
  from_wallet FixedString(20) CODEC(ZSTD(1)),
  to_wallet FixedString(20) CODEC(ZSTD(1)),
  token_id UInt256 CODEC(ZSTD(1)),
  shares Decimal64(6) CODEC(ZSTD(1)),
  block_number UInt32 CODEC(Delta, ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(ts)
ORDER BY (ts, tx_hash, log_index, place)
SETTINGS index_granularity = 2048;

CREATE TABLE polymarket_transfers_by_sender (
  ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tx_hash FixedString(32) CODEC(NONE),
  log_index UInt32 CODEC(Delta, ZSTD(1)),
  place UInt32 CODEC(Delta, ZSTD(1)),
  operator FixedString(20) CODEC(ZSTD(1)),
  from_wallet FixedString(20) CODEC(ZSTD(1)),
  to_wallet FixedString(20) CODEC(ZSTD(1)),
  token_id UInt256 CODEC(ZSTD(1)),
  shares Decimal64(6) CODEC(ZSTD(1)),
  block_number UInt32 CODEC(Delta, ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (from_wallet, ts, tx_hash, log_index, place)
SETTINGS index_granularity = 1024;

CREATE TABLE polymarket_transfers_by_receiver (
  ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tx_hash FixedString(32) CODEC(NONE),
  log_index UInt32 CODEC(Delta, ZSTD(1)),
  place UInt32 CODEC(Delta, ZSTD(1)),
  operator FixedString(20) CODEC(ZSTD(1)),
  from_wallet FixedString(20) CODEC(ZSTD(1)),
  to_wallet FixedString(20) CODEC(ZSTD(1)),
  token_id UInt256 CODEC(ZSTD(1)),
  shares Decimal64(6) CODEC(ZSTD(1)),
  block_number UInt32 CODEC(Delta, ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (to_wallet, ts, tx_hash, log_index, place)
SETTINGS index_granularity = 1024;

CREATE TABLE polymarket_transfers_by_token (
  ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tx_hash FixedString(32) CODEC(NONE),
  log_index UInt32 CODEC(Delta, ZSTD(1)),
  place UInt32 CODEC(Delta, ZSTD(1)),
  operator FixedString(20) CODEC(ZSTD(1)),
  from_wallet FixedString(20) CODEC(ZSTD(1)),
  to_wallet FixedString(20) CODEC(ZSTD(1)),
  token_id UInt256 CODEC(ZSTD(1)),
  shares Decimal64(6) CODEC(ZSTD(1)),
  block_number UInt32 CODEC(Delta, ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (token_id, ts, tx_hash, log_index, place)
SETTINGS index_granularity = 1024;

CREATE TABLE polymarket_resolutions (
  ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tx_hash FixedString(32) CODEC(NONE),
  log_index UInt32 CODEC(Delta, ZSTD(1)),
  condition_id FixedString(32) CODEC(ZSTD(1)),
  oracle FixedString(20) CODEC(ZSTD(1)),
  question_id FixedString(32) CODEC(ZSTD(1)),
  payout_numerators Array(UInt256) CODEC(ZSTD(1)),
  payouts Array(Decimal64(6)) CODEC(ZSTD(1)),
  block_number UInt32 CODEC(Delta, ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (ts, tx_hash, log_index)
SETTINGS index_granularity = 2048;

CREATE TABLE polymarket_resolutions_by_condition (
  ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tx_hash FixedString(32) CODEC(NONE),
  log_index UInt32 CODEC(Delta, ZSTD(1)),
  condition_id FixedString(32) CODEC(ZSTD(1)),
  oracle FixedString(20) CODEC(ZSTD(1)),
  question_id FixedString(32) CODEC(ZSTD(1)),
  payout_numerators Array(UInt256) CODEC(ZSTD(1)),
  payouts Array(Decimal64(6)) CODEC(ZSTD(1)),
  block_number UInt32 CODEC(Delta, ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (condition_id, ts, tx_hash, log_index)
SETTINGS index_granularity = 1024;

CREATE TABLE polymarket_neg_risk_questions (
  ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tx_hash FixedString(32) CODEC(NONE),
  log_index UInt32 CODEC(Delta, ZSTD(1)),
  market_id FixedString(32) CODEC(ZSTD(1)),
  question_index UInt8 CODEC(ZSTD(1)),
  question_id FixedString(32) CODEC(ZSTD(1)),
  condition_id FixedString(32) CODEC(ZSTD(1)),
  block_number UInt32 CODEC(Delta, ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (ts, tx_hash, log_index)
SETTINGS index_granularity = 2048;

CREATE TABLE polymarket_neg_risk_questions_by_market (
  ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tx_hash FixedString(32) CODEC(NONE),
  log_index UInt32 CODEC(Delta, ZSTD(1)),
  market_id FixedString(32) CODEC(ZSTD(1)),
  question_index UInt8 CODEC(ZSTD(1)),
  question_id FixedString(32) CODEC(ZSTD(1)),
  condition_id FixedString(32) CODEC(ZSTD(1)),
  block_number UInt32 CODEC(Delta, ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (market_id, question_index, ts, tx_hash, log_index)
SETTINGS index_granularity = 1024;
