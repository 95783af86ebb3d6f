import type { ReactElement } from "react";
import { Figure } from "./figure.tsx";
import { Timestamp } from "./timestamp.tsx";
import { toWords } from "./to-words.ts";
import { useColumns } from "./use-columns.ts";

type Props = {
  readonly agentId: number;
  readonly row: Readonly<Record<string, unknown>>;
  readonly names: readonly string[];
  readonly signed?: ReadonlySet<string>;
};

const SIGNS: Readonly<Record<string, string>> = { USD: "$", percent: "%" };

/** The unit to show next to a figure; a range such as "0 to 1" is shown only with the description. */
function unitOf(unit: string | null | undefined): { readonly unit?: string } {
  if (unit === null || unit === undefined || unit.includes(" to ")) return {};
  return { unit: SIGNS[unit] ?? unit };
}

const ISO = /^\d{4}-\d\d-\d\dT/;

/** Fields of a row, each name expandable to its description from the dataset's definition. */
export function FigureList({ agentId, row, names, signed }: Props): ReactElement {
  const columns = useColumns(agentId);
  return (
    <dl className="text-sm">
      {names.map((name) => {
        const value = row[name];
        const column = columns.get(name);
        return (
          <div
            key={name}
            className="flex flex-wrap items-baseline justify-between gap-x-3 border-b border-line/60 py-1"
          >
            <dt className="min-w-0 text-ink-soft">
              {column === undefined ? (
                toWords(name)
              ) : (
                <details>
                  <summary>{toWords(name)}</summary>
                  <p className="max-w-prose pb-1 text-xs text-ink-faint">
                    {column.about}
                    {column.unit === null ? "" : ` (${column.unit})`}
                  </p>
                </details>
              )}
            </dt>
            <dd className="ml-auto text-right">
              {typeof value === "string" && ISO.test(value) ? (
                <Timestamp at={value} />
              ) : (
                <Figure value={value} isSigned={signed?.has(name) ?? false} {...unitOf(column?.unit)} />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
