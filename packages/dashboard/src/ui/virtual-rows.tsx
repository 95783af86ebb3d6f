import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, type ReactElement } from "react";
import type { TableColumn } from "./table-column.ts";

interface VirtualRowsProps<Row> {
  readonly rows: readonly { readonly id: string; readonly original: Row }[];
  readonly columns: readonly TableColumn<Row>[];
  readonly scroller: HTMLDivElement | null;
  readonly rowHeightPx: number;
}

const DRAWN_WHOLE = 60;

function Spacer({ heightPx }: { readonly heightPx: number }): ReactElement | null {
  if (heightPx <= 0) return null;
  return <tr aria-hidden="true" style={{ height: heightPx }} />;
}

function cellClass<Row>(column: TableColumn<Row>): string {
  const side = column.align === "right" ? "text-right tabular-nums" : "text-left";
  return `border-b border-line px-3 py-2 align-middle font-normal first:pl-5 last:pr-5 ${column.width === undefined ? "" : "truncate"} ${side}`;
}

interface RowProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly TableColumn<Row>[];
  readonly measure: ((element: HTMLTableRowElement | null) => void) | undefined;
}

function PlainRow<Row>({ row, index, columns, measure }: RowProps<Row>): ReactElement {
  return (
    <tr data-index={index} ref={measure} aria-rowindex={index + 2} className="hover:bg-sunken">
      {columns.map((column) => {
        const Cell = column.isRowHeader === true ? "th" : "td";
        return (
          <Cell
            key={column.id}
            {...(column.isRowHeader === true ? { scope: "row" } : {})}
            className={cellClass(column)}
          >
            {column.cell(row)}
          </Cell>
        );
      })}
    </tr>
  );
}

/** Drawn again only when it changes: while one scrolls most rows in sight stay as they are. */
const OneRow = memo(PlainRow) as typeof PlainRow;

/** The rows of a table that are in sight, between two spacers as high as the others. */
export function VirtualRows<Row>({ rows, columns, scroller, rowHeightPx }: VirtualRowsProps<Row>): ReactElement {
  const isWhole = rows.length <= DRAWN_WHOLE;
  const virtual = useVirtualizer({
    count: rows.length,
    enabled: !isWhole,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
  });
  const items = isWhole ? rows.map((_, index) => ({ index, start: 0, end: 0 })) : virtual.getVirtualItems();
  const before = isWhole ? 0 : (items[0]?.start ?? 0);
  const after = isWhole ? 0 : virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const measure = isWhole ? undefined : virtual.measureElement;
  return (
    <tbody>
      <Spacer heightPx={before} />
      {items.map(({ index }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return <OneRow key={row.id} row={row.original} index={index} columns={columns} measure={measure} />;
      })}
      <Spacer heightPx={after} />
    </tbody>
  );
}
