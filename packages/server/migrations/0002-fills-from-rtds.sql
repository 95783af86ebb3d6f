ALTER TABLE polymarket_fills MODIFY COLUMN source Enum8('chain_v1' = 1, 'chain_v2' = 2, 'data_api_v1' = 3, 'data_api_v2' = 4, 'rtds' = 5) CODEC(ZSTD(1));

ALTER TABLE polymarket_fills_by_wallet MODIFY COLUMN source Enum8('chain_v1' = 1, 'chain_v2' = 2, 'data_api_v1' = 3, 'data_api_v2' = 4, 'rtds' = 5) CODEC(ZSTD(1));

ALTER TABLE polymarket_fills_by_token MODIFY COLUMN source Enum8('chain_v1' = 1, 'chain_v2' = 2, 'data_api_v1' = 3, 'data_api_v2' = 4, 'rtds' = 5) CODEC(ZSTD(1));
