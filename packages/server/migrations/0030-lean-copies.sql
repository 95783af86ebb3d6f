-- A further sort order keeps what is read by it; of each table the columns go in one pass over its rows.
ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS first_at, DROP COLUMN IF EXISTS buys, DROP COLUMN IF EXISTS sells, DROP COLUMN IF EXISTS shares_bought, DROP COLUMN IF EXISTS bought_usd, DROP COLUMN IF EXISTS content;

ALTER TABLE wallet_days_by_wallet DROP COLUMN IF EXISTS maker_fills, DROP COLUMN IF EXISTS sold_usd, DROP COLUMN IF EXISTS maker_usd, DROP COLUMN IF EXISTS bought_usd_squared, DROP COLUMN IF EXISTS cash_total_usd, DROP COLUMN IF EXISTS open_tokens, DROP COLUMN IF EXISTS unmarked_tokens, DROP COLUMN IF EXISTS is_estimated, DROP COLUMN IF EXISTS content;

ALTER TABLE wallet_entries_by_wallet DROP COLUMN IF EXISTS condition_id, DROP COLUMN IF EXISTS maker_usd, DROP COLUMN IF EXISTS brier_sum, DROP COLUMN IF EXISTS clv_edge_sum, DROP COLUMN IF EXISTS content;

ALTER TABLE wallet_patterns_by_wallet DROP COLUMN IF EXISTS cluster, DROP COLUMN IF EXISTS n, DROP COLUMN IF EXISTS base_rate, DROP COLUMN IF EXISTS parts, DROP COLUMN IF EXISTS content;
