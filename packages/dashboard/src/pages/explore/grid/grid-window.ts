import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import type { RefObject } from "react";
import type { Place } from "./place.ts";

export const ROW_PX = 32;
export const HEAD_PX = 36;

type GridWindow = {
  readonly items: readonly VirtualItem[];
  /** The columns in sight: from, up to but without to. */
  readonly from: number;
  readonly to: number;
  readonly heightPx: number;
  readonly show: (place: Place) => void;
};

/** Which rows and columns are in sight. */
export function useGridWindow(
  scroller: RefObject<HTMLDivElement | null>,
  rowCount: number,
  lefts: readonly number[],
): GridWindow {
  const across = useVirtualizer({
    horizontal: true,
    count: lefts.length - 1,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lefts[index + 1] ?? 0) - (lefts[index] ?? 0),
    overscan: 2,
  });
  const down = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    scrollPaddingStart: HEAD_PX,
    paddingStart: HEAD_PX,
    overscan: 6,
  });
  const columns = across.getVirtualItems();
  return {
    items: down.getVirtualItems(),
    from: columns[0]?.index ?? 0,
    to: (columns.at(-1)?.index ?? -1) + 1,
    heightPx: down.getTotalSize(),
    show: ({ row, column }) => {
      if (row >= 0) down.scrollToIndex(row);
      across.scrollToIndex(column);
    },
  };
}
