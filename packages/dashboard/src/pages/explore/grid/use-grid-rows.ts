import type { Row } from "@almanac/client";
import { useMemo, useState } from "react";
import { columnWidth } from "../../../explore/column-width.ts";
import type { DatasetColumn } from "../../../explore/dataset.ts";
import { nextSort } from "../../../explore/next-sort.ts";
import { sortRows, type Sort } from "../../../explore/sort-rows.ts";

export type GridRows = {
  readonly sort: Sort | undefined;
  readonly toggleSort: (column: DatasetColumn) => void;
  readonly unsort: () => void;
  readonly hidden: ReadonlySet<string>;
  readonly setHidden: (hidden: ReadonlySet<string>) => void;
  readonly shown: readonly DatasetColumn[];
  readonly sorted: readonly Row[];
  /** Where each column begins, and after them all where the last one ends. */
  readonly lefts: readonly number[];
};

/** What the grid shows: the chosen columns, the rows in the chosen order. */
export function useGridRows(columns: readonly DatasetColumn[], rows: readonly Row[]): GridRows {
  const [sort, setSort] = useState<Sort>();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  // The first page decides the widths, so that nothing moves when more is loaded.
  const [first] = rows;
  const [measured, setMeasured] = useState({ first, rows });
  if (measured.first !== first) setMeasured({ first, rows });
  const shown = useMemo(() => columns.filter((column) => !hidden.has(column.name)), [columns, hidden]);
  const lefts = useMemo(() => {
    const starts = [0];
    for (const column of shown) starts.push((starts.at(-1) ?? 0) + columnWidth(column, measured.rows));
    return starts;
  }, [shown, measured]);
  const sorted = useMemo(() => {
    const by = columns.find((column) => column.name === sort?.column);
    return sortRows(rows, by, sort?.isDescending === true);
  }, [rows, columns, sort]);
  return {
    sort,
    toggleSort: (column) => setSort(nextSort(sort, column)),
    unsort: () => setSort(undefined),
    hidden,
    setHidden,
    shown,
    sorted,
    lefts,
  };
}
