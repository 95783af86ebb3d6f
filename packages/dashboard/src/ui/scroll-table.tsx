import { useState, type ReactElement } from "react";
import { gridProps, type Grid } from "./grid-props.ts";
import type { TableColumn } from "./table-column.ts";
import { TableHead } from "./table-head.tsx";
import type { Sorting } from "./use-sort.ts";
import { useTableWindow } from "./use-table-window.ts";
import { VirtualRows } from "./virtual-rows.tsx";

interface ScrollTableProps<Row> {
  /** Description of the table for screen readers. */
  readonly caption: string;
  readonly sorting: Sorting<Row>;
  readonly columns: readonly TableColumn<Row>[];
  readonly rowKey: (row: Row, index: number) => string;
  /** Maximum height before it scrolls by itself, in px. */
  readonly maxHeightPx: number;
  readonly rowHeightPx: number;
  /** A grid is dense: all rows have the given height, and every column has a width. */
  readonly grid?: Grid;
}

/** A table with a sticky header that draws only visible rows: 10,000 scroll smoothly. */
export function ScrollTable<Row>(props: ScrollTableProps<Row>): ReactElement {
  const { caption, sorting, columns, rowKey, maxHeightPx, rowHeightPx, grid } = props;
  const { sorted } = sorting;
  // State, not a ref: rows are laid out before a ref would be set, and must be laid out again once it is.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const isGrid = grid !== undefined;
  const drawn = useTableWindow({ scroller, rows: sorted, rowKey, rowPx: rowHeightPx, columns, isGrid });
  const widthPx = columns.reduce((sum, column) => sum + (column.width ?? 120), 0);
  const isFixed = columns.every((column) => column.width !== undefined);
  const size = {
    rows: sorted.length,
    columns: columns.length,
    pageRows: Math.floor(maxHeightPx / rowHeightPx) - 2,
    show: drawn.show,
    onSort: (index: number) => {
      const column = columns[index];
      if (column !== undefined) sorting.toggle(column);
    },
  };
  const parts = { columns, drawn, grid };
  return (
    <div
      ref={setScroller}
      role="region"
      aria-label={caption}
      tabIndex={0}
      {...(isGrid ? gridProps(grid, size) : {})}
      style={{ maxHeight: maxHeightPx }}
      className={`group/table relative overflow-auto focus-visible:-outline-offset-2 ${isGrid ? "border-y border-line" : "rounded-b-xl"}`}
    >
      <table
        {...(isGrid ? { role: "presentation" } : { "aria-rowcount": sorted.length + 1 })}
        style={isFixed ? { minWidth: widthPx, tableLayout: "fixed" } : {}}
        className={`w-full border-separate border-spacing-0 ${isGrid ? "text-[13px]" : "text-sm"}`}
      >
        {isGrid ? null : <caption className="sr-only">{caption}</caption>}
        <TableHead {...parts} sorting={sorting} />
        <VirtualRows {...parts} rows={sorted} rowKey={rowKey} rowHeightPx={rowHeightPx} />
      </table>
    </div>
  );
}
