-- Who works rows out asks every few seconds which gaps were opened or filled since.
create index gaps_opened on gaps (opened_at);
create index gaps_filled on gaps (filled_at);
