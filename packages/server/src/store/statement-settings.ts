import type { Settings } from "./connection.ts";

/** Merging the steps of a deep statement and looking for unneeded columns is half of its planning time. */
export const PLANNED_LESS = {
  query_plan_merge_expressions: 0,
  query_plan_remove_unused_columns: 0,
  compile_expressions: 0,
};

/** A batch is one block in each table, in the order in which it was sent. */
export const ORDERED: Settings = {
  prefer_column_name_to_alias: 1,
  max_threads: 1,
  max_insert_threads: 1,
  max_block_size: 1_000_000,
  min_insert_block_size_rows: 1_000_000,
  // A batch contains each key once, so there is nothing to merge within it.
  optimize_on_insert: 0,
  ...PLANNED_LESS,
};
export const STAGING: Settings = {
  ...ORDERED,
  date_time_input_format: "best_effort",
  input_format_skip_unknown_fields: 0,
  input_format_json_named_tuples_as_objects: 0,
  input_format_parquet_allow_missing_columns: 0,
  // One thread works on a batch: further threads that split it into pieces take a tenth of a small batch's time.
  input_format_parallel_parsing: 0,
};
/** Larger batches are parsed once, in a staging table, and not again for each sort order. */
export const FEW_ROWS = 2_000;

/**
 * Settings for rows that go into a table as they are sent. The indexes of a small part are built by its first merge;
 * until then all of it is read.
 */
export const unstaged = (rows: number): Settings =>
  rows > FEW_ROWS ? STAGING : { ...STAGING, materialize_skip_indexes_on_insert: 0 };
