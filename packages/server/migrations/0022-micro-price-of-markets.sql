ALTER TABLE market_snapshots ADD COLUMN IF NOT EXISTS micro_price Nullable(Decimal64(6)) CODEC(ZSTD(1)) AFTER slippage_1k;

ALTER TABLE market_snapshots ADD COLUMN IF NOT EXISTS imbalance Nullable(Float64) CODEC(ZSTD(1)) AFTER micro_price;

ALTER TABLE market_snapshots_versions ADD COLUMN IF NOT EXISTS micro_price Nullable(Decimal64(6)) CODEC(ZSTD(1)) AFTER slippage_1k;

ALTER TABLE market_snapshots_versions ADD COLUMN IF NOT EXISTS imbalance Nullable(Float64) CODEC(ZSTD(1)) AFTER micro_price;
