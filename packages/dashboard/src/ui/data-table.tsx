import { type ReactElement, type ReactNode, useSyncExternalStore } from "react";
import { ScrollTable } from "./scroll-table.tsx";
import type { TableColumn } from "./table-column.ts";
import { useSort, type Sort } from "./use-sort.ts";

/** A short table on a narrow screen: each row as a card, its cells labelled with their column names. */
function RowCards<Row>({ caption, rows, columns, rowKey }: DataTableProps<Row>): ReactElement {
  const title = columns.find(({ isRowHeader }) => isRowHeader === true);
  const named = columns.filter((column) => column !== title && column.isHeaderHidden !== true);
  const unnamed = columns.filter((column) => column !== title && column.isHeaderHidden === true);
  return (
    <ul aria-label={caption}>
      {rows.map((row, index) => (
        <li key={rowKey(row, index)} className="border-b border-line p-4 text-sm break-words last:border-b-0">
          {title?.cell(row)}
          <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
            {named.map((column) => (
              <div key={column.id} className="contents">
                <dt className="text-ink-faint">{column.header}</dt>
                <dd className="text-right tabular-nums [&>*]:justify-end">{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
          {unnamed.map((column) => (
            <div key={column.id} className="mt-2 text-right text-ink-faint">
              {column.cell(row)}
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
}

interface DataTableProps<Row> {
  /** Description of the table for screen readers. */
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly TableColumn<Row>[];
  readonly rowKey: (row: Row, index: number) => string;
  readonly initialSort?: Sort;
  readonly empty?: ReactNode;
  readonly maxHeightPx?: number;
  readonly rowHeightPx?: number;
  /** For few rows: on a phone each is a card, so that nothing has to be scrolled sideways. */
  readonly isCardsWhenNarrow?: boolean;
}

/** A table that the user can sort. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactElement {
  const { caption, rows, columns, rowKey, initialSort, empty } = props;
  const { maxHeightPx = 560, rowHeightPx = 41, isCardsWhenNarrow = false } = props;
  const isNarrow = useIsNarrow();
  const sorting = useSort(rows, columns, initialSort);
  if (rows.length === 0) return <>{empty}</>;
  const shown = { caption, columns, rowKey };
  if (isCardsWhenNarrow && isNarrow) return <RowCards {...shown} rows={sorting.sorted} />;
  return <ScrollTable {...shown} sorting={sorting} maxHeightPx={maxHeightPx} rowHeightPx={rowHeightPx} />;
}

const NARROW = "(max-width: 639px)";

function subscribe(onChange: () => void): () => void {
  const media = matchMedia(NARROW);
  media.addEventListener("change", onChange);
  return () => media.removeEventListener("change", onChange);
}

/** A phone's width. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches);
}
