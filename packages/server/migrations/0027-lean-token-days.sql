-- A wallet's days are opened from checkpoints: what only that needed goes.
ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS maker_fills;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS other_events;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS shares_sold;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS sold_usd;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS maker_usd;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS bought_usd_squared;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS split_usd;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS merged_usd;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS redeemed_usd;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS converted_usd;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS shares_in;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS shares_out;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS unmatched_shares;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS realized_fifo_usd;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS cash_usd;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS cost_fifo_usd;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS lots;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS position_opened_at;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS position_pnl_usd;

ALTER TABLE wallet_token_days DROP COLUMN IF EXISTS position_bought_usd;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS maker_fills;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS other_events;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS shares_sold;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS sold_usd;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS maker_usd;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS bought_usd_squared;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS split_usd;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS merged_usd;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS redeemed_usd;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS converted_usd;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS shares_in;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS shares_out;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS unmatched_shares;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS realized_fifo_usd;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS cash_usd;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS cost_fifo_usd;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS lots;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS position_opened_at;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS position_pnl_usd;

ALTER TABLE wallet_token_days_by_token DROP COLUMN IF EXISTS position_bought_usd;
