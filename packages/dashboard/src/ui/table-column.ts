import type { ReactNode } from "react";

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

export type SortValue = string | number | bigint | null | undefined;

/** Created once: creating a collator per comparison costs a hundred times as much. */
const READER = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** Digits of a decimal string, comparable without losing precision to a float. */
function partsOf(text: string): { isNegative: boolean; whole: string; fraction: string } | undefined {
  const match = DECIMAL.exec(text);
  if (match === null || `${match[2] ?? ""}${match[3] ?? ""}` === "") return undefined;
  const whole = (match[2] ?? "").replace(/^0+/, "");
  const fraction = (match[3] ?? "").replace(/0+$/, "");
  return { isNegative: match[1] === "-" && whole + fraction !== "", whole, fraction };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares two decimal strings by value; undefined when either is not one. */
export function compareDecimals(a: string, b: string): number | undefined {
  const left = partsOf(a);
  const right = partsOf(b);
  if (left === undefined || right === undefined) return undefined;
  if (left.isNegative !== right.isNegative) return left.isNegative ? -1 : 1;
  const size =
    left.whole.length - right.whole.length ||
    compareText(left.whole, right.whole) ||
    compareText(left.fraction, right.fraction);
  return Math.sign(left.isNegative ? -size : size);
}

/** Compares table cells: numbers and decimal strings by value, other text by locale. */
export function compareValues(a: string | number | bigint, b: string | number | bigint): number {
  if (typeof a === "string" && typeof b === "string") return compareDecimals(a, b) ?? READER.compare(a, b);
  if (typeof a !== "string" && typeof b !== "string") return a < b ? -1 : a > b ? 1 : 0;
  return compareValues(String(a), String(b));
}
