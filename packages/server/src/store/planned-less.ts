/** Merging the steps of a deep statement and looking for unneeded columns is half of its planning time. */
export const PLANNED_LESS = {
  query_plan_merge_expressions: 0,
  query_plan_remove_unused_columns: 0,
  compile_expressions: 0,
};
