import type { ReactElement } from "react";
import { Link } from "react-router";
import { cellLink, wholeText } from "../../../explore/cells.ts";

const MAX_LINES = 200;

type Line = Readonly<Record<string, unknown>>;
const isLine = (item: unknown): item is Line => typeof item === "object" && item !== null && !Array.isArray(item);

/** Readable JSON of a cell: a list of similar objects as a table, a list of texts as lines, the rest indented. */
export function JsonValue({ column, json }: { readonly column: string; readonly json: object }): ReactElement {
  const items: readonly unknown[] = Array.isArray(json) ? json : [];
  const shown = items.slice(0, MAX_LINES);
  const rest = items.length > shown.length ? <p>and {items.length - shown.length} more</p> : null;
  if (shown.length > 0 && shown.every((item) => isLine(item))) {
    return (
      <div className="max-h-64 overflow-auto">
        <Lines lines={shown} />
        {rest}
      </div>
    );
  }
  if (shown.length > 0 && shown.every((item) => typeof item === "string")) {
    return (
      <ul className="max-h-64 overflow-auto break-words">
        {shown.map((item, place) => (
          // The index distinguishes equal texts; the list never changes.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={place}>
            <Item column={column} text={item} />
          </li>
        ))}
        {rest}
      </ul>
    );
  }
  return (
    <pre className="max-h-64 overflow-auto font-mono text-xs break-all whitespace-pre-wrap">
      {JSON.stringify(json, null, 2)}
    </pre>
  );
}

function Item({ column, text }: { readonly column: string; readonly text: string }): ReactElement {
  const to = cellLink(column.replace(/s$/, ""), text);
  if (to === undefined) return <>{text}</>;
  return (
    <Link to={to} className="font-mono text-accent underline">
      {text}
    </Link>
  );
}

function Lines({ lines }: { readonly lines: readonly Line[] }): ReactElement {
  const names = [...new Set(lines.flatMap((line) => Object.keys(line)))];
  return (
    <table className="text-xs">
      <thead>
        <tr>
          {names.map((name) => (
            <th key={name} scope="col" className="pr-4 text-left font-medium text-ink-faint">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line, place) => (
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={place}>
            {names.map((name) => (
              <td key={name} className="pr-4 font-mono tabular-nums">
                {wholeText(line[name])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
