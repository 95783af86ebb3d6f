/** A cell: row -1 is the head. */
export type Place = { readonly row: number; readonly column: number };

export function cellId(grid: string, { row, column }: Place): string {
  return `${grid}-${row}-${column}`;
}
