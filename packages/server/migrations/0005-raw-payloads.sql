CREATE TABLE raw_payloads (
  ts DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  host LowCardinality(String),
  stream LowCardinality(String),
  route LowCardinality(String),
  path String CODEC(ZSTD(1)),
  status UInt32 CODEC(Delta, ZSTD(1)),
  kind Enum8('http' = 1, 'frame' = 2) CODEC(ZSTD(1)),
  body String CODEC(ZSTD(6))
)
ENGINE = MergeTree
PARTITION BY toStartOfHour(ts)
ORDER BY (stream, ts);
