import { memo, type ReactElement } from "react";
import { cellId, type Grid } from "./grid-props.ts";
import type { TableColumn } from "./table-column.ts";
import { ACTIVE_CLASS } from "./table-head.tsx";
import type { TableWindow } from "./use-table-window.ts";

interface VirtualRowsProps<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly TableColumn<Row>[];
  readonly rowKey: (row: Row, index: number) => string;
  readonly rowHeightPx: number;
  readonly drawn: TableWindow;
  readonly grid: Grid | undefined;
}

function Spacer({ heightPx }: { readonly heightPx: number }): ReactElement | null {
  if (heightPx <= 0) return null;
  return <tr aria-hidden="true" style={{ height: heightPx }} />;
}

const ROOMY = "px-3 py-2 align-middle font-normal first:pl-5 last:pr-5";
const DENSE = "truncate px-3 py-0 [unicode-bidi:isolate]";

function cellClass<Row>({ align, width, isMono = false }: TableColumn<Row>, isGrid: boolean): string {
  const side = align === "right" ? "text-right tabular-nums" : "text-left";
  const kind = isGrid ? DENSE : `${ROOMY} ${width === undefined ? "" : "truncate"}`;
  return `border-b border-line ${kind} ${side} ${isMono ? "font-mono text-xs" : ""}`;
}

interface RowProps<Row> extends Pick<TableWindow, "from" | "to" | "left" | "right" | "measure"> {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly TableColumn<Row>[];
  readonly heightPx: number;
  readonly gridId: string | undefined;
  /** Column of the grid's active cell, if it is in this row. */
  readonly activeColumn: number;
}

function PlainRow<Row>(props: RowProps<Row>): ReactElement {
  const { row, index, columns, heightPx, from, to, left, right, measure, gridId, activeColumn } = props;
  const isGrid = gridId !== undefined;
  return (
    <tr
      data-index={index}
      ref={measure}
      aria-rowindex={index + 2}
      {...(isGrid && { role: "row", style: { height: heightPx } })}
      className="hover:bg-sunken"
    >
      {left > 0 ? <td aria-hidden="true" className="border-b border-line" /> : null}
      {columns.slice(from, to).map((column, offset) => {
        const Cell = column.isRowHeader === true ? "th" : "td";
        const place = from + offset;
        const active = activeColumn === place ? `bg-accent-soft ${ACTIVE_CLASS}` : "";
        return (
          <Cell
            key={column.id}
            {...(column.isRowHeader === true && { scope: "row" })}
            {...(isGrid && {
              id: cellId(gridId, { row: index, column: place }),
              role: "gridcell",
              "aria-colindex": place + 1,
            })}
            className={`${cellClass(column, isGrid)} ${active}`}
          >
            {column.cell(row)}
          </Cell>
        );
      })}
      {right > 0 ? <td aria-hidden="true" className="border-b border-line" /> : null}
    </tr>
  );
}

/** Re-rendered only when it changes: while scrolling most visible rows stay as they are. */
const OneRow = memo(PlainRow) as typeof PlainRow;

/** The visible rows of a table, between two spacers as high as the others. */
export function VirtualRows<Row>(props: VirtualRowsProps<Row>): ReactElement {
  const { rows, columns, rowKey, rowHeightPx, drawn, grid } = props;
  const { above, below, from, to, left, right, measure } = drawn;
  const common = { columns, from, to, left, right, measure, heightPx: rowHeightPx, gridId: grid?.id };
  return (
    <tbody role={grid && "rowgroup"}>
      <Spacer heightPx={above} />
      {drawn.rows.map((index) => {
        const row = rows[index];
        if (row === undefined) return null;
        const activeColumn = grid?.active.row === index ? grid.active.column : -1;
        return <OneRow key={rowKey(row, index)} {...common} row={row} index={index} activeColumn={activeColumn} />;
      })}
      <Spacer heightPx={below} />
    </tbody>
  );
}
