-- Which processes call a host now, so that together they stay within its limits.
create table budget_claims (
  host text not null,
  owner text not null,
  weight integer not null check (weight > 0),
  expires_at timestamptz not null,
  primary key (host, owner)
);
