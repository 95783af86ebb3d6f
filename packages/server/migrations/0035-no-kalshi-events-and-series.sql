-- No dataset reads them: a market has its event's series and category itself.
DROP TABLE IF EXISTS kalshi_events;
DROP TABLE IF EXISTS kalshi_series
