-- A late fill changes what a token traded on a day, and seldom its last price, by which thousands may be marked.
ALTER TABLE token_days ADD COLUMN IF NOT EXISTS marked_version UInt64 CODEC(Delta, ZSTD(1)) AFTER trade_count;
