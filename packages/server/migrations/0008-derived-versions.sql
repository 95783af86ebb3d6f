-- What was worked out since a moment is looked up by its version, by derivations that read derived tables.
ALTER TABLE polymarket_candles_1m ADD INDEX versions version TYPE minmax GRANULARITY 1;
ALTER TABLE book_quotes_1m ADD INDEX versions version TYPE minmax GRANULARITY 1;
ALTER TABLE token_days ADD INDEX versions version TYPE minmax GRANULARITY 1;
