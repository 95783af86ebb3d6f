-- Nobody reads what of a wallet's entries it bought as maker.
ALTER TABLE wallet_entries DROP COLUMN IF EXISTS maker_usd;
