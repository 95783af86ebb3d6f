import type { ReactElement } from "react";
import { cellId, HEAD_PX, type Grid } from "./grid-props.ts";
import { Icon } from "./icon.tsx";
import type { TableColumn } from "./table-column.ts";
import type { Sorting } from "./use-sort.ts";
import type { TableWindow } from "./use-table-window.ts";

interface TableHeadProps<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly drawn: TableWindow;
  readonly sorting: Sorting<Row>;
  readonly grid: Grid | undefined;
}

const TH = "sticky top-0 z-10 border-b px-3 font-medium whitespace-nowrap";
const ROOMY = "border-line bg-surface py-2 text-[13px] text-ink-faint first:pl-5 last:pr-5";
const DENSE = "cursor-pointer border-line-strong bg-sunken py-0 font-mono text-xs text-ink-soft hover:text-ink";

/** The active cell is visible while the grid has the focus. */
export const ACTIVE_CLASS =
  "group-focus-visible/table:outline-2 group-focus-visible/table:-outline-offset-2 outline-accent";

/** The column headers. A grid's headers contain no buttons: the grid has the focus, and handles keys and clicks. */
export function TableHead<Row>({ columns, drawn, sorting, grid }: TableHeadProps<Row>): ReactElement {
  const { sort, toggle } = sorting;
  const { from, to, left, right } = drawn;
  return (
    <thead role={grid && "rowgroup"}>
      <tr role={grid && "row"} aria-rowindex={1} style={grid && { height: HEAD_PX }}>
        {left > 0 ? <td aria-hidden="true" style={{ width: left }} className={`${TH} ${DENSE}`} /> : null}
        {columns.slice(from, to).map((column, offset) => {
          const place = { row: -1, column: from + offset };
          const isSorted = sort?.id === column.id;
          const isRight = column.align === "right";
          const isActive = grid?.active.row === -1 && grid.active.column === place.column;
          const line = `flex min-w-0 items-center gap-1 ${isRight ? "flex-row-reverse" : ""}`;
          const arrow = (
            <span className={isSorted ? "" : "opacity-0"}>
              <Icon name={isSorted && sort.isDescending ? "down" : "up"} size={12} />
            </span>
          );
          return (
            <th
              key={column.id}
              scope="col"
              {...(grid && { id: cellId(grid.id, place), role: "columnheader", "aria-colindex": place.column + 1 })}
              aria-sort={isSorted ? (sort.isDescending ? "descending" : "ascending") : undefined}
              title={column.about}
              style={column.width === undefined ? {} : { width: column.width }}
              className={`${TH} ${grid ? DENSE : ROOMY} ${isRight ? "text-right" : "text-left"} ${isActive ? ACTIVE_CLASS : ""}`}
            >
              {grid ? (
                <span className={line}>
                  <span className="truncate">{column.header}</span>
                  {arrow}
                </span>
              ) : column.sortValue === undefined ? (
                <span className={column.isHeaderHidden === true ? "sr-only" : ""}>{column.header}</span>
              ) : (
                <button
                  type="button"
                  onClick={() => toggle(column)}
                  className={`${line} rounded hover:text-ink ${isRight ? "ml-auto" : ""} ${isSorted ? "text-ink" : ""}`}
                >
                  {column.header}
                  {arrow}
                </button>
              )}
            </th>
          );
        })}
        {right > 0 ? <td aria-hidden="true" style={{ width: right }} className={`${TH} ${DENSE}`} /> : null}
      </tr>
    </thead>
  );
}
