-- What was got for shares that left without having been held. Rows of before know none.
ALTER TABLE wallet_days ADD COLUMN unmatched_usd Decimal64(6) CODEC(ZSTD(1)) AFTER cash_usd;

ALTER TABLE wallet_days_by_wallet ADD COLUMN unmatched_usd Decimal64(6) CODEC(ZSTD(1)) AFTER cash_usd;
