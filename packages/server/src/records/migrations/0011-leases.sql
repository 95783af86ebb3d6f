-- Who works on what. A lease is its owner's until it runs out by this database's clock; the token rises whenever it
-- passes to somebody, and what a stream writes here is written only under the token that it took.
create table leases (
  name text primary key,
  owner text,
  token bigint not null default 0,
  since timestamptz,
  expires_at timestamptz not null default '-infinity'
);

-- Processes that share the work now.
create table processes (
  id text primary key,
  label text not null,
  role text not null,
  started_at timestamptz not null default now(),
  expires_at timestamptz not null
);

-- Moments of rows that gave way to better ones: what was worked out from them is made again by the process that derives.
create table outdated_spans (
  id bigint generated always as identity primary key,
  table_name text not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  noted_at timestamptz not null default now()
);
create index outdated_spans_noted on outdated_spans (noted_at);
