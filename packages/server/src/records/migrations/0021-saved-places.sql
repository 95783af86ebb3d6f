-- Where a walk of the past stood at its last saves: what was worked out up to a moment has the rows up to its place then.
alter table backfills add column saves jsonb;
