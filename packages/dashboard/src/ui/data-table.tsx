import {
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type RowData,
  type SortingState,
} from "@tanstack/react-table";
import { useMemo, useState, type ReactElement, type ReactNode } from "react";
import { compareValues } from "./compare-values.ts";
import { RowCards } from "./row-cards.tsx";
import type { TableColumn } from "./table-column.ts";
import { TableHead } from "./table-head.tsx";
import { useIsNarrow } from "./use-is-narrow.ts";
import { VirtualRows } from "./virtual-rows.tsx";

interface DataTableProps<Row> {
  /** Says to a screen reader what the table is. */
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly TableColumn<Row>[];
  readonly rowKey: (row: Row, index: number) => string;
  readonly initialSort?: { readonly id: string; readonly isDescending: boolean };
  readonly empty?: ReactNode;
  /** The most it takes of the page before it scrolls by itself, in px. */
  readonly maxHeightPx?: number;
  readonly rowHeightPx?: number;
  /** For few rows: on a phone each is shown by itself, so that nothing has to be scrolled to. */
  readonly isCardsWhenNarrow?: boolean;
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
export type Features = typeof features;

function toDefinition<Row extends RowData>(column: TableColumn<Row>): ColumnDef<Features, Row> {
  const { sortValue } = column;
  return {
    id: column.id,
    accessorFn: (row: Row) => sortValue?.(row) ?? undefined,
    enableSorting: sortValue !== undefined,
    sortUndefined: "last",
    sortDescFirst: column.align === "right",
    sortFn: (a, b, id) => compareValues(a.getValue(id), b.getValue(id)),
  };
}

/** Sortable, with a head that stays and rows that are drawn only where one looks: 10,000 scroll smoothly. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>): ReactElement {
  const { caption, rows, columns, rowKey, initialSort, empty } = props;
  const { maxHeightPx = 560, rowHeightPx = 41, isCardsWhenNarrow = false } = props;
  const isNarrow = useIsNarrow();
  // Kept as state: the rows are laid out before a ref of this element would be set, and must be again once it is.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const definitions = useMemo(() => columns.map((column) => toDefinition(column)), [columns]);
  const sorting: SortingState =
    initialSort === undefined ? [] : [{ id: initialSort.id, desc: initialSort.isDescending }];
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowKey,
    initialState: { sorting },
  });
  if (rows.length === 0) return <>{empty}</>;
  const sorted = table.getRowModel().rows;
  if (isCardsWhenNarrow && isNarrow) return <RowCards caption={caption} rows={sorted} columns={columns} />;
  const widthPx = columns.reduce((sum, column) => sum + (column.width ?? 120), 0);
  const isFixed = columns.every((column) => column.width !== undefined);
  return (
    <div
      ref={setScroller}
      role="region"
      aria-label={caption}
      tabIndex={0}
      style={{ maxHeight: maxHeightPx }}
      className="relative overflow-auto rounded-b-xl focus-visible:-outline-offset-2"
    >
      <table
        aria-rowcount={sorted.length + 1}
        style={isFixed ? { minWidth: widthPx, tableLayout: "fixed" } : {}}
        className="w-full border-separate border-spacing-0 text-sm"
      >
        <caption className="sr-only">{caption}</caption>
        <TableHead table={table} columns={columns} />
        <VirtualRows rows={sorted} columns={columns} scroller={scroller} rowHeightPx={rowHeightPx} />
      </table>
    </div>
  );
}
