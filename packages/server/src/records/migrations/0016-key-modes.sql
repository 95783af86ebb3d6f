-- How a key's questions are read; the keys that there are go on as they were.
alter table api_keys add column mode text not null default 'strict' check (mode in ('strict', 'compatible'));
