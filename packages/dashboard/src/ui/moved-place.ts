/** A cell: row -1 is the header. */
export type Place = { readonly row: number; readonly column: number };

/** Where a key moves from a cell; undefined for a key that does not move. */
export function movedPlace(
  { row, column }: Place,
  { key, isChord }: { readonly key: string; readonly isChord: boolean },
  { rows, columns }: { readonly rows: number; readonly columns: number },
  pageRows: number,
): Place | undefined {
  const moves: Readonly<Record<string, readonly [row: number, column: number]>> = {
    ArrowDown: [row + 1, column],
    ArrowUp: [row - 1, column],
    ArrowRight: [row, column + 1],
    ArrowLeft: [row, column - 1],
    PageDown: [row + pageRows, column],
    PageUp: [row - pageRows, column],
    Home: [isChord ? 0 : row, 0],
    End: [isChord ? rows - 1 : row, columns - 1],
  };
  const moved = moves[key];
  if (moved === undefined) return undefined;
  return {
    row: Math.max(-1, Math.min(rows - 1, moved[0])),
    column: Math.max(0, Math.min(columns - 1, moved[1])),
  };
}
