-- Bounds of scores are drawn where they are shown, by what is kept here. Of rows of before there are none.
ALTER TABLE wallet_scores ADD COLUMN IF NOT EXISTS edge_prior Float64 CODEC(ZSTD(1)) AFTER edge_low;

ALTER TABLE wallet_scores ADD COLUMN IF NOT EXISTS luck_scale Float64 CODEC(ZSTD(1)) AFTER edge_prior;

ALTER TABLE wallet_scores ADD COLUMN IF NOT EXISTS edges_between Float64 CODEC(ZSTD(1)) AFTER luck_scale;

ALTER TABLE wallet_scores DROP COLUMN IF EXISTS score_low;

ALTER TABLE wallet_scores DROP COLUMN IF EXISTS score_high;

ALTER TABLE wallet_scores_by_wallet ADD COLUMN IF NOT EXISTS edge_prior Float64 CODEC(ZSTD(1)) AFTER edge_low;

ALTER TABLE wallet_scores_by_wallet ADD COLUMN IF NOT EXISTS luck_scale Float64 CODEC(ZSTD(1)) AFTER edge_prior;

ALTER TABLE wallet_scores_by_wallet ADD COLUMN IF NOT EXISTS edges_between Float64 CODEC(ZSTD(1)) AFTER luck_scale;

ALTER TABLE wallet_scores_by_wallet DROP COLUMN IF EXISTS score_low;

ALTER TABLE wallet_scores_by_wallet DROP COLUMN IF EXISTS score_high;
