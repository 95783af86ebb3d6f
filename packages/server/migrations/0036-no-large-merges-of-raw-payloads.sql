-- Nearly half of what the engine merged while the past was gathered were payloads, whose partitions go within hours.
ALTER TABLE raw_payloads MODIFY COLUMN body String CODEC(ZSTD(1));
ALTER TABLE raw_payloads MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 4000000;
