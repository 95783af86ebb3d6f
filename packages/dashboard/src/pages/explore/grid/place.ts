/** A cell: row -1 is the head. */
export type Place = { readonly row: number; readonly column: number };

export function cellId(grid: string, { row, column }: Place): string {
  return `${grid}/${row}/${column}`;
}

/** The cell that has this id; undefined for an id of something else. */
export function placeOf(grid: string, id: string): Place | undefined {
  const found = /^\/(-?\d+)\/(\d+)$/.exec(id.slice(grid.length));
  return found === null || !id.startsWith(grid) ? undefined : { row: Number(found[1]), column: Number(found[2]) };
}
