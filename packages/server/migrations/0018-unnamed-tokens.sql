ALTER TABLE wallet_token_days ADD INDEX unnamed condition_id TYPE minmax GRANULARITY 1;

ALTER TABLE wallet_token_days MATERIALIZE INDEX unnamed;

ALTER TABLE wallet_token_days_by_token ADD INDEX unnamed condition_id TYPE minmax GRANULARITY 1;

ALTER TABLE wallet_token_days_by_token MATERIALIZE INDEX unnamed;
