import type { HTMLAttributes, KeyboardEvent } from "react";
import { movedPlace, type Place } from "./moved-place.ts";

/** What makes a table a grid: one of its cells is active, and keys move on from it. */
export interface Grid {
  /** Begins the ids of its cells; an element with this id and "-inspector" after it tells about the active one. */
  readonly id: string;
  readonly active: Place;
  readonly onActive: (place: Place) => void;
  /** Hears a key first where the active cell is below the head. */
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

/** The place of the cell in which something was pressed, as the cell itself tells it. */
function placeOf(target: EventTarget, role: string): Place | undefined {
  const cell = target instanceof Element ? target.closest(`[role="${role}"]`) : null;
  if (cell === null) return undefined;
  const row = Number(cell.parentElement?.getAttribute("aria-rowindex")) - 2;
  return { row, column: Number(cell.getAttribute("aria-colindex")) - 1 };
}

/**
 * Arrows, Home, End and Page move; Enter in the head sorts. One listener hears all cells, so that a cell costs little
 * more than its text.
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
