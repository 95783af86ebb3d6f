-- Streams that are gone: nothing would go on with their places or fill their gaps.
delete from streams where name in ('kalshi-events', 'kalshi-series');
delete from backfills where stream in ('kalshi-events', 'kalshi-series');
delete from gaps where stream in ('kalshi-events', 'kalshi-series');
delete from parked where stream in ('kalshi-events', 'kalshi-series');
