-- What was got for shares that left without having been held. Rows of before know none.
ALTER TABLE wallet_days ADD COLUMN IF NOT EXISTS unmatched_usd Decimal64(6) CODEC(ZSTD(1)) AFTER cash_usd;

ALTER TABLE wallet_days_by_wallet ADD COLUMN IF NOT EXISTS unmatched_usd Decimal64(6) CODEC(ZSTD(1)) AFTER cash_usd;

-- Sums of returns on a capital that forgot what was won and not redeemed yet are made anew.
DELETE FROM wallet_windows WHERE period = 'set';
