DELETE FROM wallet_windows WHERE period = 'set';
