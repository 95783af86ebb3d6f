import type { ReactElement, ReactNode } from "react";
import { RowCards } from "./row-cards.tsx";
import { ScrollTable } from "./scroll-table.tsx";
import type { TableColumn } from "./table-column.ts";
import { useIsNarrow } from "./use-is-narrow.ts";
import { useSort, type Sort } from "./use-sort.ts";

interface DataTableProps<Row> {
  /** Says to a screen reader what the table is. */
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly TableColumn<Row>[];
  readonly rowKey: (row: Row, index: number) => string;
  readonly initialSort?: Sort;
  readonly empty?: ReactNode;
  readonly maxHeightPx?: number;
  readonly rowHeightPx?: number;
  /** For few rows: on a phone each is shown by itself, so that nothing has to be scrolled to. */
  readonly isCardsWhenNarrow?: boolean;
}

/** A table that its reader sorts. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactElement {
  const { caption, rows, columns, rowKey, initialSort, empty } = props;
  const { maxHeightPx = 560, rowHeightPx = 41, isCardsWhenNarrow = false } = props;
  const isNarrow = useIsNarrow();
  const sorting = useSort(rows, columns, initialSort);
  if (rows.length === 0) return <>{empty}</>;
  const shown = { caption, columns, rowKey };
  if (isCardsWhenNarrow && isNarrow) return <RowCards {...shown} rows={sorting.sorted} />;
  return <ScrollTable {...shown} sorting={sorting} maxHeightPx={maxHeightPx} rowHeightPx={rowHeightPx} />;
}
