-- Nobody reads what of a wallet ended on a day, market by market, nor these columns.
DROP TABLE IF EXISTS wallet_condition_days;

ALTER TABLE wallet_days DROP COLUMN IF EXISTS unmarked_tokens;

ALTER TABLE wallet_entries DROP COLUMN IF EXISTS brier_sum, DROP COLUMN IF EXISTS clv_edge_sum;
