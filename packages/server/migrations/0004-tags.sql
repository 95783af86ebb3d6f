CREATE TABLE polymarket_tags (
  tag_id String CODEC(ZSTD(1)),
  label String CODEC(ZSTD(1)),
  slug String CODEC(ZSTD(1)),
  parent_slug Nullable(String) CODEC(ZSTD(1)),
  created_at Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  updated_at Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (tag_id);

CREATE TABLE polymarket_tags_versions (
  tag_id String CODEC(ZSTD(1)),
  label String CODEC(ZSTD(1)),
  slug String CODEC(ZSTD(1)),
  parent_slug Nullable(String) CODEC(ZSTD(1)),
  created_at Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  updated_at Nullable(DateTime64(6, 'UTC')) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  superseded_at DateTime('UTC')
)
ENGINE = MergeTree
ORDER BY (tag_id, version)
TTL superseded_at + INTERVAL 24 HOUR;
