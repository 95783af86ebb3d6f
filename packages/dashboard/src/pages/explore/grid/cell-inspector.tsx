import type { Row } from "@almanac/client";
import type { ReactElement } from "react";
import { Link } from "react-router";
import { cellLink, readJson, wholeText } from "../../../explore/cells.ts";
import type { DatasetColumn, DatasetFormula } from "../../../explore/dataset.ts";
import { Timestamp } from "../../../read/values.tsx";
import { Button } from "../../../ui/button.tsx";
import { useCopy } from "../../../ui/use-copy.ts";
import { aboutColumn } from "./grid-columns.tsx";
import { JsonValue } from "./json-value.tsx";

const COPY_WORDS = { idle: "Copy", copied: "Copied", refused: "Select it and copy by hand" } as const;

function CopyCell({ text }: { readonly text: string }): ReactElement {
  const [state, copy] = useCopy(text);
  return (
    <Button isSmall icon="copy" onClick={copy}>
      <span aria-live="polite">{COPY_WORDS[state]}</span>
    </Button>
  );
}

interface CellInspectorProps {
  readonly id: string;
  readonly column: DatasetColumn | undefined;
  /** Absent: the header is active. */
  readonly row: Row | undefined;
  readonly index: number;
  readonly formula: readonly DatasetFormula[];
}

/** The active cell in full: its column's meaning, its value as the service returned it, its link. */
export function CellInspector({ id, column, row, index, formula }: CellInspectorProps): ReactElement {
  if (column === undefined) return <p id={id} className="px-5 py-3 text-[13px] text-ink-faint" />;
  const value = row?.[column.name];
  const text = wholeText(value);
  return (
    <div className="px-5 py-3 text-[13px]">
      <p id={id} className="break-words text-ink-faint">
        <code className="text-ink-soft">{column.name}</code> {aboutColumn(column)}
      </p>
      <Derived column={column.name} formula={formula} />
      {row === undefined ? (
        <p className="mt-1 text-ink-faint">
          In the table: arrow keys move, Enter sorts or follows a link, Ctrl+C copies a cell.
        </p>
      ) : (
        <div className="mt-1 flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <Whole column={column} value={value} text={text} />
          </div>
          <CopyCell key={`${index} ${column.name}`} text={text} />
        </div>
      )}
    </div>
  );
}

type WholeProps = { readonly column: DatasetColumn; readonly value: unknown; readonly text: string };

function Whole({ column, value, text }: WholeProps): ReactElement {
  if (value === null || value === undefined) return <span className="text-ink-faint">null</span>;
  const json = readJson(value);
  if ((column.wire === "json string" || column.wire === "list") && typeof json === "object" && json !== null)
    return <JsonValue column={column.name} json={json} />;
  const to = cellLink(column.name, value);
  return (
    <p className="max-h-40 overflow-auto font-mono break-all whitespace-pre-wrap text-ink [unicode-bidi:isolate]">
      {to === undefined ? (
        text
      ) : (
        <Link to={to} className="text-accent underline">
          {text}
        </Link>
      )}
      {column.wire === "iso" ? (
        <span className="font-sans text-ink-faint">
          {" "}
          = <Timestamp at={text} /> in your time zone
        </span>
      ) : null}
    </p>
  );
}

type DerivedProps = { readonly column: string; readonly formula: readonly DatasetFormula[] };

function Derived({ column, formula }: DerivedProps): ReactElement | null {
  const own = formula.filter((one) => one.fields.includes(column));
  if (own.length === 0) return null;
  return (
    <details className="mt-1 text-ink-soft">
      <summary className="w-fit">How it is computed</summary>
      {own.map((one) => (
        <div key={one.title} className="mt-1 rounded-lg bg-sunken px-3 py-2 break-words">
          <p className="font-medium">{one.title}</p>
          {one.says.map((line) => (
            <p key={line}>{line.replaceAll("`", "")}</p>
          ))}
        </div>
      ))}
    </details>
  );
}
