import { textTable } from "./text-table.ts";

/** A page of a list as a table; where there are more, its last line says so and how to go on. */
export function listTable<Line extends { readonly id: string }>(
  headings: readonly string[],
  lines: readonly Line[],
  hasMore: boolean,
  cellsOf: (line: Line) => readonly unknown[],
): string {
  const table = textTable(headings, lines.map(cellsOf));
  const last = lines.at(-1);
  return hasMore && last !== undefined ? `${table}\nThere are more: go on with --after ${last.id}` : table;
}
