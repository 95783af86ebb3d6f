import type { KeyboardEvent } from "react";
import { useNavigate } from "react-router";
import { cellLink } from "../../../explore/cell-link.ts";
import { wholeText } from "../../../explore/cell-text.ts";
import type { DatasetColumn } from "../../../explore/dataset.ts";
import { movedPlace, type Counts } from "./moved-place.ts";
import type { Place } from "./place.ts";

type GridKeys = {
  readonly active: Place;
  readonly counts: Counts;
  readonly pageRows: number;
  readonly valueAt: (place: Place) => unknown;
  readonly columnAt: (index: number) => DatasetColumn | undefined;
  readonly onMove: (place: Place) => void;
  readonly onSort: (column: DatasetColumn) => void;
};

/** Arrows, Home, End and Page move; Enter sorts in the head and follows a link below it; Ctrl+C copies the cell. */
export function useGridKeys(keys: GridKeys): (event: KeyboardEvent<HTMLDivElement>) => void {
  const navigate = useNavigate();
  return (event) => {
    const { active, counts, pageRows, valueAt, columnAt, onMove, onSort } = keys;
    const isChord = event.ctrlKey || event.metaKey;
    const column = columnAt(active.column);
    if (column === undefined) return;
    if (isChord && event.key.toLowerCase() === "c") {
      if (active.row < 0 || String(window.getSelection()) !== "") return;
      event.preventDefault();
      void navigator.clipboard?.writeText(wholeText(valueAt(active)));
      return;
    }
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const to = active.row < 0 ? undefined : cellLink(column.name, valueAt(active));
      if (active.row < 0) onSort(column);
      else if (to !== undefined && event.key === "Enter") void navigate(to);
      return;
    }
    const moved = movedPlace(active, { key: event.key, isChord }, counts, pageRows);
    if (moved === undefined) return;
    event.preventDefault();
    onMove(moved);
  };
}
