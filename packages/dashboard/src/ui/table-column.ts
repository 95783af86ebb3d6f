import type { ReactNode } from "react";
import type { SortValue } from "./compare-values.ts";

export interface TableColumn<Row> {
  readonly id: string;
  readonly header: string;
  /** The header is for screen readers only, for a column of buttons. */
  readonly isHeaderHidden?: boolean;
  /** Tooltip of the header: the field's description and unit. */
  readonly about?: string;
  readonly cell: (row: Row) => ReactNode;
  /** The sort value; absent: not sortable. null and undefined come last in either direction. */
  readonly sortValue?: (row: Row) => SortValue;
  /** Compares two values; absent: figures by value, words by locale. */
  readonly compare?: (a: NonNullable<SortValue>, b: NonNullable<SortValue>) => number;
  /** Whether the first click on the header sorts largest first; absent: true for figures. */
  readonly isLargestFirst?: boolean;
  /** "right" for figures: they get tabular digits. */
  readonly align?: "left" | "right";
  readonly isMono?: boolean;
  /** In px. Set it for every column of a large table, so that widths do not change while scrolling. */
  readonly width?: number;
  /** The cell is its row's header. */
  readonly isRowHeader?: boolean;
}
