-- How many questions of an account, and of one key of it, may be under way at once; before, 128 of an account.
alter table plans
  add column at_once integer not null default 128 check (at_once > 0),
  add column key_at_once integer not null default 128 check (key_at_once > 0);
update plans set at_once = 16, key_at_once = 8 where name = 'free';
update plans set at_once = 64, key_at_once = 32 where name = 'pro';
