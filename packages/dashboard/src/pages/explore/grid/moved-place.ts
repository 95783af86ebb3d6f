import type { Place } from "./place.ts";

export type Counts = { readonly rows: number; readonly columns: number };

/** Where a key leads from a cell; undefined for a key that moves nothing. */
export function movedPlace(
  { row, column }: Place,
  { key, isChord }: { readonly key: string; readonly isChord: boolean },
  { rows, columns }: Counts,
  pageRows: number,
): Place | undefined {
  const within = (next: Place): Place => ({
    row: Math.max(-1, Math.min(rows - 1, next.row)),
    column: Math.max(0, Math.min(columns - 1, next.column)),
  });
  switch (key) {
    case "ArrowDown":
      return within({ row: row + 1, column });
    case "ArrowUp":
      return within({ row: row - 1, column });
    case "ArrowRight":
      return within({ row, column: column + 1 });
    case "ArrowLeft":
      return within({ row, column: column - 1 });
    case "PageDown":
      return within({ row: row + pageRows, column });
    case "PageUp":
      return within({ row: row - pageRows, column });
    case "Home":
      return within({ row: isChord ? 0 : row, column: 0 });
    case "End":
      return within({ row: isChord ? rows - 1 : row, column: columns - 1 });
    default:
      return undefined;
  }
}
