-- Sums of wallets' windows, and what of their days was restated since.
CREATE TABLE wallet_windows (
  day Date CODEC(Delta, ZSTD(1)),
  period Enum8('7' = 1, '15' = 2, '30' = 3, '90' = 4, 'all' = 5, 'set' = 6) CODEC(ZSTD(1)),
  wallet FixedString(20) CODEC(ZSTD(1)),
  buys UInt32 CODEC(Delta, ZSTD(1)),
  sells UInt32 CODEC(Delta, ZSTD(1)),
  events UInt32 CODEC(Delta, ZSTD(1)),
  wins UInt32 CODEC(Delta, ZSTD(1)),
  losses UInt32 CODEC(Delta, ZSTD(1)),
  invested_usd Decimal64(6) CODEC(ZSTD(1)),
  pnl_usd Decimal64(6) CODEC(ZSTD(1)),
  return_days UInt32 CODEC(Delta, ZSTD(1)),
  return_sum Int128 CODEC(ZSTD(1)),
  return_squares Int128 CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY day
ORDER BY (day, period, wallet);

ALTER TABLE wallet_days ADD INDEX versions version TYPE minmax GRANULARITY 1;

ALTER TABLE wallet_days MATERIALIZE INDEX versions;

ALTER TABLE wallet_days_by_wallet ADD INDEX versions version TYPE minmax GRANULARITY 1;

ALTER TABLE wallet_days_by_wallet MATERIALIZE INDEX versions;
