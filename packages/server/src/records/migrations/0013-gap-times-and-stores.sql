-- Who works rows out asks every few seconds which gaps were opened or filled since.
create index gaps_opened on gaps (opened_at);
create index gaps_filled on gaps (filled_at);

-- Which column stores have the rows that these records speak of; of a cluster each node is one.
create table row_stores (
  id uuid primary key,
  bound_at timestamptz not null default now()
);
