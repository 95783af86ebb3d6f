-- A key's own limit within its account's; the keys that there are have none.
alter table api_keys
  add column requests_per_minute integer check (requests_per_minute > 0),
  add column burst integer check (burst > 0),
  add constraint api_keys_limit check ((requests_per_minute is null) = (burst is null));
