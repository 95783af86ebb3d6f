create table plans (
  name text primary key,
  datasets jsonb not null,
  requests_per_minute integer not null check (requests_per_minute > 0),
  burst integer not null check (burst > 0),
  max_page integer not null check (max_page > 0),
  rank integer not null
);

insert into plans (name, datasets, requests_per_minute, burst, max_page, rank) values
  ('free', '["free"]', 60, 30, 200, 0),
  ('pro', '["free", "pro"]', 600, 120, 1000, 1),
  ('enterprise', '"all"', 6000, 1000, 10000, 2);

create table accounts (
  id text primary key,
  name text not null,
  email text not null unique,
  role text not null check (role in ('admin', 'member')),
  plan text not null references plans (name),
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

create table api_keys (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  prefix text not null,
  digest bytea not null unique,
  datasets integer[],
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  replaced_by text references api_keys (id)
);
create index api_keys_account on api_keys (account_id, created_at);

create table usage (
  day date not null,
  key_id text not null,
  agent_id integer not null,
  status integer not null,
  requests bigint not null,
  rows bigint not null,
  bytes bigint not null,
  ms bigint not null,
  primary key (day, key_id, agent_id, status)
);

create table streams (
  name text primary key,
  cursor jsonb,
  reached timestamptz,
  since timestamptz,
  state text not null default 'new',
  last_ok_at timestamptz,
  last_error text,
  last_error_at timestamptz,
  rows_stored bigint not null default 0,
  updated_at timestamptz not null default now()
);

create table backfills (
  id bigint generated always as identity primary key,
  stream text not null,
  range_from timestamptz not null,
  range_to timestamptz not null,
  cursor jsonb,
  reached timestamptz,
  rows_stored bigint not null default 0,
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  unique (stream, range_from, range_to)
);

create table gaps (
  id bigint generated always as identity primary key,
  stream text not null,
  instrument text,
  from_at timestamptz not null,
  to_at timestamptz,
  reason text not null,
  opened_at timestamptz not null default now(),
  filled_at timestamptz
);
create index gaps_open on gaps (stream, from_at) where filled_at is null;

create table parked (
  id bigint generated always as identity primary key,
  stream text not null,
  host text not null,
  route text not null,
  path text not null,
  problem text not null,
  field text,
  sample text,
  body text not null,
  parked_at timestamptz not null default now(),
  replayed_at timestamptz
);
create index parked_waiting on parked (stream, parked_at) where replayed_at is null;

create table notices (
  id bigint generated always as identity primary key,
  stream text not null,
  kind text not null,
  text text not null,
  count integer not null default 1,
  noticed_at timestamptz not null default now()
);
create index notices_stream on notices (stream, noticed_at);

create table derivations (
  name text primary key,
  through timestamptz,
  updated_at timestamptz not null default now()
);

create table audit (
  id bigint generated always as identity primary key,
  actor text not null,
  action text not null,
  subject text not null,
  detail jsonb,
  at timestamptz not null default now()
);
create index audit_subject on audit (subject, at);
