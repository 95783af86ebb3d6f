-- Income of wallets beside their trades, and whose was asked for.
CREATE TABLE polymarket_income (
  wallet FixedString(20) CODEC(ZSTD(1)),
  ts DateTime('UTC') CODEC(Delta, ZSTD(1)),
  kind Enum8('reward' = 1, 'maker_rebate' = 2, 'taker_rebate' = 3, 'referral_reward' = 4, 'yield' = 5) CODEC(ZSTD(1)),
  tx_hash FixedString(32) CODEC(NONE),
  amount_usd Decimal64(6) CODEC(ZSTD(1)),
  place UInt32 CODEC(Delta, ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (wallet, ts, tx_hash, kind, amount_usd, place)
SETTINGS index_granularity = 1024;

CREATE TABLE polymarket_income_wallets (
  wallet FixedString(20) CODEC(ZSTD(1)),
  asked_at DateTime('UTC') CODEC(Delta, ZSTD(1)),
  checked_at Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (wallet)
SETTINGS index_granularity = 1024;
