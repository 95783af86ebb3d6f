import type { Settings } from "./connection.ts";

/** A batch is one block in each table, in the order in which it was sent. */
export const ORDERED: Settings = {
  prefer_column_name_to_alias: 1,
  max_threads: 1,
  max_insert_threads: 1,
  max_block_size: 1_000_000,
  min_insert_block_size_rows: 1_000_000,
  // A batch has each key once: there is nothing to merge within it.
  optimize_on_insert: 0,
};
export const STAGING: Settings = {
  ...ORDERED,
  date_time_input_format: "best_effort",
  input_format_skip_unknown_fields: 0,
  input_format_json_named_tuples_as_objects: 0,
  input_format_parquet_allow_missing_columns: 0,
};
