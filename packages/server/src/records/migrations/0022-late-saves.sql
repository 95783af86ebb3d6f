-- Where a live stream stood while it caught up: what was worked out up to a moment has the rows up to its place then.
alter table streams add column late_saves jsonb;
