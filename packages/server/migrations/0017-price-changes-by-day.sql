DROP TABLE IF EXISTS price_changes_by_day;

CREATE TABLE price_changes_by_day (
  resolution Enum8('1m' = 1, '5m' = 2, '15m' = 3, '1h' = 4, '4h' = 5, '1d' = 6) CODEC(ZSTD(1)),
  bucket DateTime('UTC') CODEC(Delta, ZSTD(1)),
  token_id UInt256 CODEC(ZSTD(1)),
  close Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  previous_close Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  change_pct Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  volume Decimal64(6) CODEC(ZSTD(1)),
  trade_count UInt32 CODEC(Delta, ZSTD(1)),
  volume_ratio Nullable(Float32) CODEC(ZSTD(1)),
  is_reverted Bool,
  jump_at Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
  jump_before Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  jump_after Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  jump_volume Decimal64(6) CODEC(ZSTD(1)),
  jump_trades UInt32 CODEC(Delta, ZSTD(1)),
  jump_volume_ratio Nullable(Float32) CODEC(ZSTD(1)),
  statistic Nullable(Float64) CODEC(ZSTD(1)),
  p_value Nullable(Float64) CODEC(ZSTD(1)),
  window_buckets UInt32 CODEC(Delta, ZSTD(1)),
  is_peak Bool,
  is_jump_reverted Bool,
  is_gone Bool,
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  INDEX tokens token_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX moments bucket TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (resolution, toDate(bucket), token_id, bucket)
SETTINGS index_granularity = 1024;

INSERT INTO price_changes_by_day (resolution, bucket, token_id, close, previous_close, change_pct, volume, trade_count, volume_ratio, is_reverted, jump_at, jump_before, jump_after, jump_volume, jump_trades, jump_volume_ratio, statistic, p_value, window_buckets, is_peak, is_jump_reverted, is_gone, version, content) SELECT resolution, bucket, token_id, close, previous_close, change_pct, volume, trade_count, volume_ratio, is_reverted, jump_at, jump_before, jump_after, jump_volume, jump_trades, jump_volume_ratio, statistic, p_value, window_buckets, is_peak, is_jump_reverted, is_gone, version, content FROM price_changes;

EXCHANGE TABLES price_changes_by_day AND price_changes;

DROP TABLE price_changes_by_day;
