ALTER TABLE polymarket_fills ADD COLUMN alike_number UInt32 CODEC(Delta, ZSTD(1)) AFTER source;

ALTER TABLE polymarket_fills_by_wallet ADD COLUMN alike_number UInt32 CODEC(Delta, ZSTD(1)) AFTER source;

ALTER TABLE polymarket_fills_by_token ADD COLUMN alike_number UInt32 CODEC(Delta, ZSTD(1)) AFTER source;
