-- Posts of the social sources, what was done to them, and which markets they are about.
CREATE TABLE social_posts (
  source Enum8('bluesky' = 1, 'hackernews' = 2, 'gdelt' = 3, 'x' = 4) CODEC(ZSTD(1)),
  id String CODEC(ZSTD(1)),
  ts DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  created_on DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  author String CODEC(ZSTD(1)),
  username String CODEC(ZSTD(1)),
  url String CODEC(ZSTD(1)),
  body String CODEC(ZSTD(1)),
  lang LowCardinality(String),
  parent String CODEC(ZSTD(1)),
  like_count UInt32 CODEC(Delta, ZSTD(1)),
  retweet_count UInt32 CODEC(Delta, ZSTD(1)),
  reply_count UInt32 CODEC(Delta, ZSTD(1)),
  quote_count UInt32 CODEC(Delta, ZSTD(1)),
  sentiment Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  stance Enum8('none' = 1, 'buy_yes' = 2, 'buy_no' = 3, 'up' = 4, 'down' = 5) CODEC(ZSTD(1)),
  words String MATERIALIZED lowerUTF8(replaceRegexpAll(concat(' ', body), '[^\\p{L}\\p{N}]+', ' ')) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1,
  INDEX tokens words TYPE text(tokenizer = splitByString([' '])) GRANULARITY 100000000,
  INDEX ids id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX authors author TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toDate(ts)
ORDER BY (ts, source, id)
SETTINGS index_granularity = 1024;

CREATE TABLE social_posts_versions (
  source Enum8('bluesky' = 1, 'hackernews' = 2, 'gdelt' = 3, 'x' = 4) CODEC(ZSTD(1)),
  id String CODEC(ZSTD(1)),
  ts DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  created_on DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  author String CODEC(ZSTD(1)),
  username String CODEC(ZSTD(1)),
  url String CODEC(ZSTD(1)),
  body String CODEC(ZSTD(1)),
  lang LowCardinality(String),
  parent String CODEC(ZSTD(1)),
  like_count UInt32 CODEC(Delta, ZSTD(1)),
  retweet_count UInt32 CODEC(Delta, ZSTD(1)),
  reply_count UInt32 CODEC(Delta, ZSTD(1)),
  quote_count UInt32 CODEC(Delta, ZSTD(1)),
  sentiment Nullable(Decimal64(6)) CODEC(ZSTD(1)),
  stance Enum8('none' = 1, 'buy_yes' = 2, 'buy_no' = 3, 'up' = 4, 'down' = 5) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64,
  superseded_at DateTime('UTC')
)
ENGINE = MergeTree
ORDER BY (ts, source, id, version)
TTL superseded_at + INTERVAL 2 HOUR;

CREATE TABLE social_reactions (
  source Enum8('bluesky' = 1, 'hackernews' = 2, 'gdelt' = 3, 'x' = 4) CODEC(ZSTD(1)),
  post_id String CODEC(ZSTD(1)),
  kind Enum8('like' = 1, 'repost' = 2, 'reply' = 3, 'quote' = 4) CODEC(ZSTD(1)),
  ts DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  id String CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (post_id, kind, id, ts)
SETTINGS index_granularity = 1024;

CREATE TABLE social_removals (
  source Enum8('bluesky' = 1, 'hackernews' = 2, 'gdelt' = 3, 'x' = 4) CODEC(ZSTD(1)),
  what Enum8('record' = 1, 'author' = 2) CODEC(ZSTD(1)),
  id String CODEC(ZSTD(1)),
  ts DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  reason Enum8('deleted' = 1, 'account' = 2, 'request' = 3) CODEC(ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (id, source, what, ts)
SETTINGS index_granularity = 256;

CREATE TABLE social_mentions (
  condition_id FixedString(32) CODEC(ZSTD(1)),
  ts DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  source Enum8('bluesky' = 1, 'hackernews' = 2, 'gdelt' = 3, 'x' = 4) CODEC(ZSTD(1)),
  post_id String CODEC(ZSTD(1)),
  author String CODEC(ZSTD(1)),
  event_slug String CODEC(ZSTD(1)),
  term String CODEC(ZSTD(1)),
  is_gone Bool,
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (condition_id, ts, source, post_id)
SETTINGS index_granularity = 1024;

CREATE TABLE social_mentions_by_post (
  condition_id FixedString(32) CODEC(ZSTD(1)),
  ts DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  source Enum8('bluesky' = 1, 'hackernews' = 2, 'gdelt' = 3, 'x' = 4) CODEC(ZSTD(1)),
  post_id String CODEC(ZSTD(1)),
  author String CODEC(ZSTD(1)),
  event_slug String CODEC(ZSTD(1)),
  term String CODEC(ZSTD(1)),
  is_gone Bool,
  version UInt64 CODEC(Delta, ZSTD(1)),
  content UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (ts, source, post_id, condition_id)
SETTINGS index_granularity = 1024;

CREATE TABLE social_erasures (
  through DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
  erased UInt32 CODEC(Delta, ZSTD(1)),
  ingested_at DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(1)),
  INDEX ingested ingested_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (through);
