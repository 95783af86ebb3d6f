alter table gaps add column attempts integer not null default 0;
alter table gaps add column retry_at timestamptz;
alter table gaps add column tried text[] not null default '{}';
alter table gaps add column unfillable text;
alter table gaps add column alike integer not null default 1;

alter table backfills add column for_gaps boolean not null default false;
alter table backfills drop constraint backfills_stream_range_from_range_to_key;
alter table backfills add constraint backfills_range unique (stream, range_from, range_to, for_gaps);

create table live_status (
  process text primary key,
  status jsonb not null,
  written_at timestamptz not null default now()
);
