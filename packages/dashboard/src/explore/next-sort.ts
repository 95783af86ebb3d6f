import type { Sort } from "./sort-rows.ts";

/** Largest first, then smallest first, then as answered. */
export function nextSort(sort: Sort | undefined, column: string): Sort | undefined {
  if (sort?.column !== column) return { column, isDescending: true };
  return sort.isDescending ? { column, isDescending: false } : undefined;
}
