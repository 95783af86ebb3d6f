-- What is kept no longer: how far it went, so that coverage says so wherever it is asked.
create table retention (
  name text primary key,
  title text not null,
  table_name text not null,
  gone_before timestamptz,
  rows bigint not null default 0,
  ran_at timestamptz,
  last_error text
);
