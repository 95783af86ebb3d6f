import { useState, type ReactElement } from "react";
import type { DatasetColumn } from "../../../explore/dataset.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";

interface ColumnChooserProps {
  readonly columns: readonly DatasetColumn[];
  readonly hidden: ReadonlySet<string>;
  readonly onChange: (hidden: ReadonlySet<string>) => void;
}

/** Which columns are shown; at least one. */
export function ColumnChooser({ columns, hidden, onChange }: ColumnChooserProps): ReactElement {
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
