-- Boards are added up from wallets' days and kept in memory.
DROP TABLE IF EXISTS wallet_windows;
