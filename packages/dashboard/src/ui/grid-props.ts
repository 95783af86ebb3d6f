import type { HTMLAttributes, KeyboardEvent } from "react";

/** Makes a table a grid: one of its cells is active, and keys move from it. */
export interface Grid {
  /** Prefix of its cells' ids; the element with this id plus "-inspector" describes the active one. */
  readonly id: string;
  readonly active: Place;
  readonly onActive: (place: Place) => void;
  /** Receives key events first when the active cell is below the header. */
  readonly onCellKey: (event: KeyboardEvent) => void;
}

export const HEAD_PX = 36;

export const cellId = (grid: string, { row, column }: Place): string => `${grid}/${row}/${column}`;

interface Size {
  readonly rows: number;
  readonly columns: number;
  readonly pageRows: number;
  readonly show: (place: Place) => void;
  readonly onSort: (column: number) => void;
}

/** The position of the pressed cell, from the cell's own attributes. */
function placeOf(target: EventTarget, role: string): Place | undefined {
  const cell = target instanceof Element ? target.closest(`[role="${role}"]`) : null;
  if (cell === null) return undefined;
  const row = Number(cell.parentElement?.getAttribute("aria-rowindex")) - 2;
  return { row, column: Number(cell.getAttribute("aria-colindex")) - 1 };
}

/**
 * Arrows, Home, End and Page move; Enter in the header sorts. One listener serves all cells, so that a cell costs
 * little more than its text.
 */
export function gridProps(grid: Grid, { rows, columns, pageRows, show, onSort }: Size): HTMLAttributes<HTMLDivElement> {
  const { active, onActive, onCellKey } = grid;
  return {
    role: "grid",
    "aria-rowcount": rows + 1,
    "aria-colcount": columns,
    "aria-activedescendant": cellId(grid.id, active),
    "aria-describedby": `${grid.id}-inspector`,
    onPointerDown: ({ target }) => {
      const place = placeOf(target, "gridcell");
      if (place !== undefined) onActive(place);
    },
    onClick: ({ target }) => {
      const place = placeOf(target, "columnheader");
      if (place === undefined) return;
      onActive(place);
      onSort(place.column);
    },
    onKeyDown: (event) => {
      // The browser's own: Alt and an arrow go back or forward.
      if (event.altKey) return;
      if (active.row >= 0) onCellKey(event);
      if (event.defaultPrevented) return;
      const { key } = event;
      const isPress = key === "Enter" || key === " ";
      const moved = movedPlace(active, { key, isChord: event.ctrlKey || event.metaKey }, { rows, columns }, pageRows);
      if (!isPress && moved === undefined) return;
      event.preventDefault();
      if (isPress && active.row < 0) onSort(active.column);
      if (moved === undefined) return;
      onActive(moved);
      show(moved);
    },
  };
}

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
