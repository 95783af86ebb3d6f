DROP TABLE IF EXISTS polymarket_early_fills;
