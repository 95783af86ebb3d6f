-- A key's own limit within its account's; the keys that there are have none.
alter table api_keys
  add column requests_per_minute integer check (requests_per_minute > 0),
  add column burst integer check (burst > 0),
  add constraint api_keys_limit check ((requests_per_minute is null) = (burst is null));
-- How many keys and users an account may have; before, 100 and 200 of any.
alter table plans
  add column keys integer not null default 100 check (keys > 0),
  add column users integer not null default 200 check (users > 0);
update plans set keys = 5, users = 3 where name = 'free';
update plans set keys = 50, users = 25 where name = 'pro';
update plans set keys = 500, users = 250 where name = 'enterprise';
