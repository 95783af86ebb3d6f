-- What the leader stored, for the serving indexes of other processes: one row for all that it stored within a fraction of
-- a second.
create table stored_log (
  seq bigint primary key,
  changes jsonb not null,
  told_at timestamptz not null default clock_timestamp()
);
create index stored_log_told on stored_log (told_at);

-- The newest number of the log, the token of the leader that tells, and up to when it has told all that it stored:
-- 'infinity' once it stores nothing more.
create table stored_head (
  name text primary key,
  token bigint not null,
  seq bigint not null,
  told_through timestamptz not null
);
insert into stored_head (name, token, seq, told_through) values ('leader', 0, 0, 'infinity');
