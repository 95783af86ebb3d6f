DROP TABLE IF EXISTS book_events_by_week;

CREATE TABLE book_events_by_week (
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
PARTITION BY toMonday(ts)
ORDER BY (instrument, ts, seq)
SETTINGS index_granularity = 512;

INSERT INTO book_events_by_week (instrument, ts, seq, kind, venue, bids, asks, best_bid, best_ask, hash, ingested_at) SELECT instrument, ts, seq, kind, venue, bids, asks, best_bid, best_ask, hash, ingested_at FROM book_events SETTINGS max_partitions_per_insert_block = 0;

EXCHANGE TABLES book_events_by_week AND book_events;

DROP TABLE book_events_by_week;
