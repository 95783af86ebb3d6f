-- How long requests took, beside their sum: how many fell into each bucket (access/latency-buckets.ts), only those that are not empty.
alter table usage add column ms_buckets smallint[] not null default '{}';
alter table usage add column ms_counts bigint[] not null default '{}';

-- An account reads the lines of its own keys.
create index usage_key on usage (key_id, day);
