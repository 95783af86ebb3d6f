import type { ReactElement } from "react";
import { isFigure } from "../../../explore/cell-text.ts";
import type { DatasetColumn } from "../../../explore/dataset.ts";
import type { Sort } from "../../../explore/sort-rows.ts";
import { Icon } from "../../../ui/icon.tsx";
import { cellId, type Place } from "./place.ts";

interface GridHeadProps {
  readonly id: string;
  readonly columns: readonly DatasetColumn[];
  /** The columns in sight. */
  readonly from: number;
  readonly to: number;
  readonly lefts: readonly number[];
  readonly sort: Sort | undefined;
  readonly heightPx: number;
  readonly active: Place;
  readonly onSort: (index: number, column: DatasetColumn) => void;
}

/** The names of the columns, with their meaning when one points at them. */
export function GridHead(props: GridHeadProps): ReactElement {
  const { id, columns, from, to, lefts, sort, heightPx, active, onSort } = props;
  return (
    <div
      role="row"
      aria-rowindex={1}
      style={{ height: heightPx }}
      className="sticky top-0 z-10 min-w-full border-b border-line-strong bg-sunken"
    >
      {columns.slice(from, to).map((column, offset) => {
        const index = from + offset;
        const isSorted = sort?.column === column.name;
        const isActive = active.row === -1 && active.column === index;
        return (
          // Keys are the grid's, which has the focus and says which cell is active.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={column.name}
            id={cellId(id, { row: -1, column: index })}
            role="columnheader"
            aria-colindex={index + 1}
            aria-sort={isSorted ? (sort.isDescending ? "descending" : "ascending") : "none"}
            title={aboutColumn(column)}
            onClick={() => onSort(index, column)}
            style={{ left: lefts[index] ?? 0, width: (lefts[index + 1] ?? 0) - (lefts[index] ?? 0) }}
            className={`absolute inset-y-0 flex cursor-pointer items-center gap-1 px-3 font-medium whitespace-nowrap text-ink-soft hover:text-ink ${isFigure(column.wire) ? "flex-row-reverse" : ""} ${isActive ? ACTIVE_CLASS : ""}`}
          >
            <span className="truncate font-mono text-xs">{column.name}</span>
            {isSorted ? <Icon name={sort.isDescending ? "down" : "up"} size={12} /> : null}
          </div>
        );
      })}
    </div>
  );
}

/** The active cell shows while the grid has the focus. */
export const ACTIVE_CLASS =
  "group-focus-visible/grid:outline-2 group-focus-visible/grid:-outline-offset-2 outline-accent";

export function aboutColumn({ wire, unit, nullable, about }: DatasetColumn): string {
  const kind = `${wire}${nullable ? " or null" : ""}`;
  return `${about} (${unit === null ? kind : `${unit}; ${kind}`})`;
}
