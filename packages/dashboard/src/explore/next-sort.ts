import type { DatasetColumn } from "./dataset.ts";
import type { Sort } from "./sort-rows.ts";

const isWords = (wire: string): boolean => wire === "text" || wire === "id";

/** A first press: words from A, figures and moments from the largest; a second the other way; a third as answered. */
export function nextSort(sort: Sort | undefined, { name, wire }: DatasetColumn): Sort | undefined {
  const isFirst = !isWords(wire);
  if (sort?.column !== name) return { column: name, isDescending: isFirst };
  return sort.isDescending === isFirst ? { column: name, isDescending: !isFirst } : undefined;
}
