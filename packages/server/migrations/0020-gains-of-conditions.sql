-- What was gained by those of a day's positions of a condition that were won. Rows of before hold their sum alone.
ALTER TABLE wallet_condition_days ADD COLUMN gained_usd Decimal64(6) DEFAULT greatest(pnl_usd, toDecimal64(0, 6)) CODEC(ZSTD(1)) AFTER pnl_usd;
