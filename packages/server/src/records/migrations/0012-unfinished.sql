-- How far a run over everything came that was cut off; null where none was.
alter table derivations add column unfinished jsonb;
