import type { Row } from "@almanac/client";
import { useId, useMemo, useState, type KeyboardEvent, type ReactElement } from "react";
import { useNavigate } from "react-router";
import { cellLink, wholeText } from "../../../explore/cells.ts";
import type { Dataset, DatasetColumn } from "../../../explore/dataset.ts";
import { Button } from "../../../ui/button.tsx";
import type { Place } from "../../../ui/grid-props.ts";
import { ScrollTable } from "../../../ui/scroll-table.tsx";
import { useSortedBy, type Sort } from "../../../ui/use-sort.ts";
import { CellInspector } from "./cell-inspector.tsx";
import { gridColumns } from "./grid-columns.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { useCopy } from "../../../ui/use-copy.ts";

interface ColumnChooserProps {
  readonly columns: readonly DatasetColumn[];
  readonly hidden: ReadonlySet<string>;
  readonly onChange: (hidden: ReadonlySet<string>) => void;
}

/** Chooses the visible columns; at least one. */
function ColumnChooser({ columns, hidden, onChange }: ColumnChooserProps): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  const shown = columns.length - hidden.size;
  const toggle = (name: string): void => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    if (next.size < columns.length) onChange(next);
  };
  return (
    <>
      <Button isSmall onClick={() => setIsOpen(true)}>
        Columns {shown === columns.length ? columns.length : `${shown} of ${columns.length}`}
      </Button>
      <Dialog title="Columns" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <div className="mb-3 flex gap-2">
          <Button isSmall onClick={() => onChange(new Set())}>
            Show all
          </Button>
          <Button isSmall onClick={() => onChange(new Set(columns.slice(1).map((column) => column.name)))}>
            Only the first
          </Button>
        </div>
        <ul className="flex flex-col gap-1">
          {columns.map((column) => (
            <li key={column.name}>
              <label className="flex items-start gap-2 rounded-md px-1 py-1 text-sm hover:bg-sunken">
                <input
                  type="checkbox"
                  checked={!hidden.has(column.name)}
                  onChange={() => toggle(column.name)}
                  className="mt-1 size-4 accent-accent"
                />
                <span className="min-w-0">
                  <code>{column.name}</code>
                  {column.unit === null ? null : <span className="text-ink-faint"> {column.unit}</span>}
                  <span className="block text-[13px] text-ink-faint">{column.about}</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}

export interface ResultGridProps {
  readonly caption: string;
  readonly dataset: Dataset;
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly view: GridView;
  readonly onView: (view: GridView) => void;
}

/** What the user chose to see of the rows; it stays for the next response. */
export interface GridView {
  /** Names of the columns that the user hid. */
  readonly hidden: ReadonlySet<string>;
  readonly isTall: boolean;
  readonly sort: Sort | undefined;
}

export const FIRST_VIEW: GridView = { hidden: new Set(), isTall: false, sort: undefined };

const ROW_PX = 32;
const LOW_PX = 416;
const HIGH_PX = 720;

const COPY_WORDS = {
  idle: "",
  copied: "Copied.",
  refused: "The browser refused to copy; select the value below the table.",
} as const;

const keyOf = (_row: Row, index: number): string => String(index);

/** The rows of a response: sortable, with chosen columns, and one active cell shown in full below. */
export function ResultGrid({ caption, dataset, rows, hasMore, view, onView }: ResultGridProps): ReactElement {
  const id = useId();
  const navigate = useNavigate();
  const { hidden, isTall } = view;
  const [chosen, setActive] = useState<Place>({ row: -1, column: 0 });
  // The first page decides the widths, so that they do not change when more is loaded.
  const [first] = rows;
  const [measured, setMeasured] = useState({ first, rows });
  if (measured.first !== first) setMeasured({ first, rows });
  const all = useMemo(() => gridColumns(dataset.row, measured.rows), [dataset, measured]);
  const columns = useMemo(() => all.filter((column) => !hidden.has(column.id)), [all, hidden]);
  const sorting = useSortedBy(rows, all, [view.sort, (sort) => onView({ ...view, sort })]);
  const { sort, sorted, unsort } = sorting;
  const active = { row: Math.min(chosen.row, rows.length - 1), column: Math.min(chosen.column, columns.length - 1) };
  const row = sorted[active.row];
  const column = dataset.row.find(({ name }) => name === columns[active.column]?.id);
  const value = row?.[column?.name ?? ""];
  const [copyState, copy] = useCopy(wholeText(value));
  const onCellKey = (event: KeyboardEvent): void => {
    const isCopy = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "c";
    const to = event.key === "Enter" ? cellLink(column?.name ?? "", value) : undefined;
    if (to !== undefined) void navigate(to);
    else if (!isCopy || String(window.getSelection()) !== "") return;
    else copy();
    event.preventDefault();
  };
  return (
    <div className="border-t border-line">
      <div className="flex flex-wrap items-center gap-2 px-5 py-2 text-[13px] text-ink-faint">
        <ColumnChooser columns={dataset.row} hidden={hidden} onChange={(next) => onView({ ...view, hidden: next })} />
        <Button isSmall tone="quiet" aria-pressed={isTall} onClick={() => onView({ ...view, isTall: !isTall })}>
          Taller
        </Button>
        {sort === undefined ? null : (
          <>
            <span role="status">
              Sorted by <code>{sort.id}</code>, {sort.isDescending ? "descending" : "ascending"}
              {hasMore ? ", among the rows loaded" : ""}.
            </span>
            <Button isSmall tone="quiet" onClick={unsort}>
              Original order
            </Button>
          </>
        )}
        <span role="status">{COPY_WORDS[copyState]}</span>
      </div>
      <ScrollTable
        caption={caption}
        sorting={sorting}
        columns={columns}
        rowKey={keyOf}
        maxHeightPx={isTall ? HIGH_PX : LOW_PX}
        rowHeightPx={ROW_PX}
        grid={{ id, active, onActive: setActive, onCellKey }}
      />
      <CellInspector id={`${id}-inspector`} column={column} row={row} index={active.row} formula={dataset.formula} />
    </div>
  );
}
