import type { Bound } from "../definition/sql.ts";

/** What a list parameter names; undefined where it was not sent. */
export const setOf = (list: Bound | undefined): ReadonlySet<string> | undefined =>
  list && new Set(list.value as readonly string[]);
