import { useRef, type ReactElement } from "react";
import { GridHead } from "./grid-head.tsx";
import { GridRow } from "./grid-row.tsx";
import { HEAD_PX, ROW_PX, useGridWindow } from "./grid-window.ts";
import { cellId, type Place } from "./place.ts";
import { useGridKeys } from "./use-grid-keys.ts";
import { useGridPresses } from "./use-grid-presses.ts";
import type { GridRows } from "./use-grid-rows.ts";

/** Rows that leave give their elements to those that come: more of them than can be in sight at once. */
const SLOTS = 64;
const LOW_PX = 416;
const HIGH_PX = 720;

interface GridCellsProps {
  readonly id: string;
  readonly caption: string;
  readonly grid: GridRows;
  readonly isTall: boolean;
  readonly active: Place;
  readonly onActive: (place: Place) => void;
}

/** Rows and columns, drawn only where one looks. */
export function GridCells({ id, caption, grid, isTall, active, onActive }: GridCellsProps): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const { sorted, shown, lefts, sort, toggleSort } = grid;
  const { items, from, to, heightPx, show } = useGridWindow(scroller, sorted.length, lefts);
  const mostPx = isTall ? HIGH_PX : LOW_PX;
  const onKeyDown = useGridKeys({
    active,
    counts: { rows: sorted.length, columns: shown.length },
    pageRows: Math.floor(mostPx / ROW_PX) - 2,
    valueAt: ({ row, column }) => sorted[row]?.[shown[column]?.name ?? ""],
    columnAt: (index) => shown[index],
    onMove: (place) => {
      onActive(place);
      show(place);
    },
    onSort: toggleSort,
  });
  const common = { id, columns: shown, from, to, lefts };
  const presses = useGridPresses(id, onActive);
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={caption}
      aria-rowcount={sorted.length + 1}
      aria-colcount={shown.length}
      aria-activedescendant={cellId(id, active)}
      aria-describedby={`${id}-inspector`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      {...presses}
      style={{ maxHeight: mostPx }}
      className="group/grid relative overflow-auto border-y border-line text-[13px] focus-visible:-outline-offset-2"
    >
      <div role="rowgroup" style={{ width: lefts.at(-1), height: heightPx }} className="relative min-w-full">
        <GridHead
          {...common}
          sort={sort}
          heightPx={HEAD_PX}
          active={active}
          onSort={(index, column) => {
            onActive({ row: -1, column: index });
            toggleSort(column);
          }}
        />
        {items.map((item) => (
          <GridRow
            key={item.index % SLOTS}
            {...common}
            row={sorted[item.index] ?? {}}
            index={item.index}
            top={item.start}
            activeColumn={active.row === item.index ? active.column : -1}
          />
        ))}
      </div>
    </div>
  );
}
