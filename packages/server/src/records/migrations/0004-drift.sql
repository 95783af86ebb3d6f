alter table parked add column digest text not null default '';
alter table parked add column body_bytes bigint not null default 0;
alter table parked add column times integer not null default 1;
alter table parked add column last_at timestamptz not null default now();
alter table parked add column refused jsonb;
alter table parked add column tried_at timestamptz;
alter table parked add column dropped_at timestamptz;
update parked set body_bytes = octet_length(body), last_at = parked_at;
create index parked_alike on parked (stream, digest) where replayed_at is null;

alter table gaps add column parked_id bigint references parked (id);
create index gaps_parked on gaps (parked_id) where parked_id is not null;
