/** Merging the steps of a deep statement, and looking for columns it does not need, is half of its planning. */
export const PLANNED_LESS = {
  query_plan_merge_expressions: 0,
  query_plan_remove_unused_columns: 0,
  compile_expressions: 0,
};
