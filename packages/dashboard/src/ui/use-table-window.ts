import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback } from "react";
import { HEAD_PX, type Place } from "./grid-props.ts";
import type { TableColumn } from "./table-column.ts";

/** Up to this many rows are all drawn. */
const DRAWN_WHOLE = 60;

interface Size<Row> {
  readonly scroller: HTMLDivElement | null;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row, index: number) => string;
  readonly rowPx: number;
  readonly columns: readonly TableColumn<Row>[];
  /** Columns are virtualised too, and all rows have one height. */
  readonly isGrid: boolean;
}

export interface TableWindow {
  readonly rows: readonly number[];
  /** Height of the rows that are not drawn, in px. */
  readonly above: number;
  readonly below: number;
  /** The drawn columns: `from` inclusive, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly right: number;
  readonly measure: ((element: HTMLTableRowElement | null) => void) | undefined;
  readonly show: (place: Place) => void;
}

/** The visible rows and columns of a table. */
export function useTableWindow<Row>({ scroller, rows, rowKey, rowPx, columns, isGrid }: Size<Row>): TableWindow {
  const isWhole = !isGrid && rows.length <= DRAWN_WHOLE;
  // Memoised: a changed key function makes the virtualizer recompute all positions.
  const keyOfRow = useCallback((index: number) => rowKey(rows[index] as Row, index), [rows, rowKey]);
  const keyOfColumn = useCallback((index: number) => columns[index]?.id ?? index, [columns]);
  const down = useVirtualizer({
    count: rows.length,
    enabled: !isWhole,
    getScrollElement: () => scroller,
    estimateSize: () => rowPx,
    getItemKey: keyOfRow,
    scrollPaddingEnd: HEAD_PX,
    overscan: isGrid ? 6 : 12,
  });
  const across = useVirtualizer({
    horizontal: true,
    enabled: isGrid,
    count: columns.length,
    getScrollElement: () => scroller,
    estimateSize: (index) => columns[index]?.width ?? 0,
    getItemKey: keyOfColumn,
    overscan: 2,
  });
  const [high, wide] = [down.getVirtualItems(), across.getVirtualItems()];
  return {
    rows: isWhole ? [...rows.keys()] : high.map(({ index }) => index),
    above: isWhole ? 0 : (high[0]?.start ?? 0),
    below: isWhole ? 0 : down.getTotalSize() - (high.at(-1)?.end ?? 0),
    from: wide[0]?.index ?? 0,
    to: isGrid ? (wide.at(-1)?.index ?? -1) + 1 : columns.length,
    left: wide[0]?.start ?? 0,
    right: isGrid ? across.getTotalSize() - (wide.at(-1)?.end ?? 0) : 0,
    measure: isWhole || isGrid ? undefined : down.measureElement,
    show: ({ row, column }) => {
      if (row >= 0) down.scrollToIndex(row);
      across.scrollToIndex(column);
    },
  };
}
