import type { Row } from "@almanac/client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useId, useMemo, useRef, useState, type ReactElement } from "react";
import { columnWidth } from "../../../explore/column-width.ts";
import type { DatasetColumn } from "../../../explore/dataset.ts";
import { sortRows, type Sort } from "../../../explore/sort-rows.ts";
import { CellInspector } from "./cell-inspector.tsx";
import { ColumnChooser } from "./column-chooser.tsx";
import { GridHead } from "./grid-head.tsx";
import { GridRow } from "./grid-row.tsx";
import { GridToolbar } from "./grid-toolbar.tsx";
import { cellId, type Place } from "./place.ts";
import { useGridKeys } from "./use-grid-keys.ts";

export const ROW_PX = 32;
const HEAD_PX = 36;
const LOW_PX = 416;
const HIGH_PX = 720;

interface ResultGridProps {
  readonly caption: string;
  readonly columns: readonly DatasetColumn[];
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly isTall: boolean;
  readonly onTall: () => void;
}

/** Rows and columns that are drawn only where one looks, one cell of which is active: by arrow keys or a press. */
export function ResultGrid({ caption, columns, rows, hasMore, isTall, onTall }: ResultGridProps): ReactElement {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [sort, setSort] = useState<Sort>();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<Place>({ row: -1, column: 0 });
  const shown = useMemo(() => columns.filter((column) => !hidden.has(column.name)), [columns, hidden]);
  // The first rows decide once, so that nothing moves when more are loaded.
  const [first] = rows;
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const widths = useMemo(() => shown.map((column) => columnWidth(column, rows)), [shown, first]);
  const sorted = useMemo(
    () =>
      sortRows(
        rows,
        columns.find((column) => column.name === sort?.column),
        sort?.isDescending === true,
      ),
    [rows, columns, sort],
  );
  const across = useVirtualizer({
    horizontal: true,
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => widths[index] ?? 120,
    getItemKey: (index) => shown[index]?.name ?? index,
    overscan: 2,
  });
  const down = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    overscan: 6,
  });
  const lefts = useMemo(() => leftsOf(widths), [widths]);
  const items = across.getVirtualItems();
  const [from, to] = [items[0]?.index ?? 0, (items.at(-1)?.index ?? -1) + 1];
  const toggleSort = (name: string): void => setSort(nextSort(sort, name));
  const keys = useGridKeys({
    active,
    counts: { rows: sorted.length, columns: shown.length },
    pageRows: Math.floor((isTall ? HIGH_PX : LOW_PX) / ROW_PX) - 2,
    valueAt: ({ row, column }) => sorted[row]?.[shown[column]?.name ?? ""],
    columnAt: (index) => shown[index],
    onMove: (place) => {
      setActive(place);
      if (place.row >= 0) down.scrollToIndex(place.row);
      across.scrollToIndex(place.column);
    },
    onSort: toggleSort,
  });
  const widthPx = across.getTotalSize();
  const place = { row: Math.min(active.row, sorted.length - 1), column: Math.min(active.column, shown.length - 1) };
  return (
    <div className="border-t border-line">
      <GridToolbar sort={sort} hasMore={hasMore} onUnsort={() => setSort(undefined)} isTall={isTall} onTall={onTall}>
        <ColumnChooser columns={columns} hidden={hidden} onChange={setHidden} />
      </GridToolbar>
      <div
        ref={scroller}
        role="grid"
        aria-label={caption}
        aria-rowcount={sorted.length + 1}
        aria-colcount={shown.length}
        aria-activedescendant={cellId(id, place)}
        aria-describedby={`${id}-inspector`}
        tabIndex={0}
        onKeyDown={keys}
        style={{ maxHeight: isTall ? HIGH_PX : LOW_PX }}
        className="group/grid relative overflow-auto border-y border-line text-[13px] focus-visible:-outline-offset-2"
      >
        <div
          role="rowgroup"
          style={{ width: widthPx, height: down.getTotalSize() + HEAD_PX }}
          className="relative min-w-full"
        >
          <GridHead
            id={id}
            columns={shown}
            range={[from, to]}
            lefts={lefts}
            sort={sort}
            heightPx={HEAD_PX}
            widthPx={widthPx}
            active={place}
            onSort={(index, name) => {
              setActive({ row: -1, column: index });
              toggleSort(name);
            }}
          />
          {down.getVirtualItems().map((item) => (
            <GridRow
              key={item.index}
              id={id}
              row={sorted[item.index] ?? {}}
              index={item.index}
              top={item.start}
              columns={shown}
              from={from}
              to={to}
              lefts={lefts}
              activeColumn={place.row === item.index ? place.column : -1}
              onActive={setActive}
            />
          ))}
        </div>
      </div>
      <CellInspector
        id={`${id}-inspector`}
        column={shown[place.column]}
        row={place.row < 0 ? undefined : sorted[place.row]}
        index={place.row}
      />
    </div>
  );
}

/** Where each column begins, and after them all where the last one ends. */
function leftsOf(widths: readonly number[]): readonly number[] {
  const lefts = [0];
  for (const width of widths) lefts.push((lefts.at(-1) ?? 0) + width);
  return lefts;
}

function nextSort(sort: Sort | undefined, column: string): Sort | undefined {
  if (sort?.column !== column) return { column, isDescending: true };
  return sort.isDescending ? { column, isDescending: false } : undefined;
}
