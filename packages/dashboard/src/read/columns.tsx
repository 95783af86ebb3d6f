import type { SortValue, TableColumn } from "../ui/table-column.ts";
import { toPercent } from "./exact-figures.ts";
import { BriefTimestamp, Figure } from "./values.tsx";

type Options = {
  readonly about?: string;
  readonly width?: number;
  /** Gains green, losses red. */
  readonly isSigned?: boolean;
  /** A share of one, shown in percent. */
  readonly isShare?: boolean;
  /** False: its header does not sort. */
  readonly isSorted?: boolean;
};

/** A column of the figure in the row field `id`. */
export function figureColumn<Row extends Readonly<Record<Id, SortValue>>, Id extends string>(
  id: Id,
  header: string,
  { isSigned = false, isShare = false, isSorted = true, ...look }: Options = {},
): TableColumn<Row> {
  const shown = (value: SortValue): SortValue => (isShare && typeof value === "string" ? toPercent(value) : value);
  return {
    id,
    header,
    ...look,
    align: "right",
    ...(isSorted ? { sortValue: (row) => row[id] } : {}),
    cell: (row) => <Figure value={shown(row[id])} isSigned={isSigned} />,
  };
}

/** A column of the time in the row field `id`; `none` if it is null. */
export function timestampColumn<Row extends Readonly<Record<Id, string | null>>, Id extends string>(
  id: Id,
  header: string,
  none = "–",
  about?: string,
): TableColumn<Row> {
  return {
    id,
    header,
    ...(about === undefined ? {} : { about }),
    sortValue: (row) => row[id],
    cell: (row) => {
      const at = row[id];
      return at === null ? none : <BriefTimestamp at={at} />;
    },
  };
}
