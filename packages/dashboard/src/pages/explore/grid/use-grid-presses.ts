import type { MouseEvent, PointerEvent } from "react";
import { useNavigate } from "react-router";
import { placeOf, type Place } from "./place.ts";

type Presses = {
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onClick: (event: MouseEvent<HTMLElement>) => void;
};

/** One listener for all cells: a press makes a cell active, a plain click on a link goes there without a reload. */
export function useGridPresses(grid: string, onActive: (place: Place) => void): Presses {
  const navigate = useNavigate();
  return {
    onPointerDown: ({ target }) => {
      const cell = target instanceof Element ? target.closest('[role="gridcell"]') : null;
      const place = cell === null ? undefined : placeOf(grid, cell.id);
      if (place !== undefined) onActive(place);
    },
    onClick: (event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (link === null || !isPlain) return;
      event.preventDefault();
      void navigate(link.pathname + link.search);
    },
  };
}
