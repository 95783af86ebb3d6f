import type { ReactNode } from "react";
import type { SortValue } from "./compare-values.ts";

export interface TableColumn<Row> {
  readonly id: string;
  readonly header: string;
  /** Said, but not shown: for a column of buttons. */
  readonly isHeaderHidden?: boolean;
  /** Said when one points at the heading: the field's meaning and unit. */
  readonly about?: string;
  readonly cell: (row: Row) => ReactNode;
  /** What the column is ordered by; absent: it cannot be. null and undefined come last either way. */
  readonly sortValue?: (row: Row) => SortValue;
  /** How two of them are compared; absent: figures by value, words as a reader would. */
  readonly compare?: (a: NonNullable<SortValue>, b: NonNullable<SortValue>) => number;
  /** Whether a first press of the heading shows the largest first; absent: that of figures does. */
  readonly isLargestFirst?: boolean;
  /** "right" for figures: they get tabular digits. */
  readonly align?: "left" | "right";
  readonly isMono?: boolean;
  /** In px. Give every column one where the rows are many, so that they do not move while one scrolls. */
  readonly width?: number;
  /** The cell that names its row. */
  readonly isRowHeader?: boolean;
}
