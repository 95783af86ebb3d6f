-- Candles, hours and quotes are stored as they are made: nobody reads the hash of their contents.
ALTER TABLE polymarket_candles_1m UPDATE content = 0 WHERE content != 0;
ALTER TABLE token_hours UPDATE content = 0 WHERE content != 0;
ALTER TABLE book_quotes_1m UPDATE content = 0 WHERE content != 0;
