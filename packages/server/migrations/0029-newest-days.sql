-- The newest days of some wallets and minutes of some tokens are asked for all the time: few granules of these have any.
ALTER TABLE wallet_token_days ADD INDEX IF NOT EXISTS days day TYPE minmax GRANULARITY 1;

ALTER TABLE wallet_token_days MATERIALIZE INDEX days;

ALTER TABLE wallet_token_days_by_token ADD INDEX IF NOT EXISTS days day TYPE minmax GRANULARITY 1;

ALTER TABLE wallet_token_days_by_token MATERIALIZE INDEX days;

ALTER TABLE wallet_condition_days ADD INDEX IF NOT EXISTS days day TYPE minmax GRANULARITY 1;

ALTER TABLE wallet_condition_days MATERIALIZE INDEX days;

ALTER TABLE wallet_days ADD INDEX IF NOT EXISTS days day TYPE minmax GRANULARITY 1;

ALTER TABLE wallet_days MATERIALIZE INDEX days;

ALTER TABLE wallet_days_by_wallet ADD INDEX IF NOT EXISTS days day TYPE minmax GRANULARITY 1;

ALTER TABLE wallet_days_by_wallet MATERIALIZE INDEX days;

ALTER TABLE polymarket_candles_1m ADD INDEX IF NOT EXISTS minutes minute TYPE minmax GRANULARITY 1;

ALTER TABLE polymarket_candles_1m MATERIALIZE INDEX minutes;
