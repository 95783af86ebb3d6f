import type { ReactTable, RowData, TableState } from "@tanstack/react-table";
import type { ReactElement } from "react";
import type { Features } from "./data-table.tsx";
import { Icon } from "./icon.tsx";
import type { TableColumn } from "./table-column.ts";

interface TableHeadProps<Row extends RowData> {
  readonly table: ReactTable<Features, Row, TableState<Features>>;
  readonly columns: readonly TableColumn<Row>[];
}

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;

export function TableHead<Row extends RowData>({ table, columns }: TableHeadProps<Row>): ReactElement {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column) => {
          const state = table.getColumn(column.id);
          const isSorted = state?.getIsSorted() ?? false;
          const isRight = column.align === "right";
          return (
            <th
              key={column.id}
              scope="col"
              aria-sort={isSorted === false ? undefined : ARIA_SORT[isSorted]}
              title={column.about}
              style={column.width === undefined ? {} : { width: column.width }}
              className={`sticky top-0 z-10 border-b border-line bg-surface px-3 py-2 text-[13px] font-medium whitespace-nowrap text-ink-faint first:pl-5 last:pr-5 ${isRight ? "text-right" : "text-left"}`}
            >
              {column.sortValue === undefined ? (
                <span className={column.isHeaderHidden === true ? "sr-only" : ""}>{column.header}</span>
              ) : (
                <button
                  type="button"
                  onClick={() => state?.toggleSorting()}
                  className={`flex items-center gap-1 rounded hover:text-ink ${isRight ? "ml-auto flex-row-reverse" : ""} ${isSorted === false ? "" : "text-ink"}`}
                >
                  {column.header}
                  <span className={isSorted === false ? "opacity-0" : ""}>
                    <Icon name={isSorted === "desc" ? "down" : "up"} size={12} />
                  </span>
                </button>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
