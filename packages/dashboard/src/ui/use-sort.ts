import { useMemo, useState } from "react";
import { compareValues, type TableColumn } from "./table-column.ts";

export interface Sort {
  /** The column's id. */
  readonly id: string;
  readonly isDescending: boolean;
}

export interface Sorting<Row> {
  readonly sort: Sort | undefined;
  readonly sorted: readonly Row[];
  readonly toggle: (column: TableColumn<Row>) => void;
  /** Restores the original order of the rows. */
  readonly unsort: () => void;
}

/** First click: words ascending, figures descending; second: reversed; third: the original order. */
export function nextSort<Row>(sort: Sort | undefined, column: TableColumn<Row>): Sort | undefined {
  const { id, align, isLargestFirst = align === "right" } = column;
  if (sort?.id !== id) return { id, isDescending: isLargestFirst };
  return sort.isDescending === isLargestFirst ? { id, isDescending: !isLargestFirst } : undefined;
}

/** Rows sorted by a column, null last in either direction; else in the original order. */
export function sortRows<Row>(
  rows: readonly Row[],
  column: TableColumn<Row> | undefined,
  isDescending: boolean,
): readonly Row[] {
  const { sortValue, compare = compareValues } = column ?? {};
  if (sortValue === undefined) return rows;
  const sign = isDescending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: sortValue(row) ?? null }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
    return sign * compare(a.key, b.key);
  });
  return keyed.map(({ row }) => row);
}

/** The rows of a table in the order chosen by the user. */
export function useSort<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[], initial?: Sort): Sorting<Row> {
  return useSortedBy(rows, columns, useState(initial));
}

/** The same where the order is kept by the caller. */
export function useSortedBy<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  [sort, setSort]: readonly [Sort | undefined, (sort: Sort | undefined) => void],
): Sorting<Row> {
  const by = columns.find(({ id }) => id === sort?.id);
  const sorted = useMemo(() => sortRows(rows, by, sort?.isDescending === true), [rows, by, sort]);
  return { sort, sorted, toggle: (column) => setSort(nextSort(sort, column)), unsort: () => setSort(undefined) };
}
