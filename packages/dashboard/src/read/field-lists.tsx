import { type ReactElement, useMemo } from "react";
import { Figure, Timestamp } from "./values.tsx";
import { Badge } from "../ui/indicators.tsx";
import { useDatasets } from "../api/datasets.ts";

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

type FlagListProps = {
  readonly agentId: number;
  readonly row: Readonly<Record<string, unknown>>;
  readonly names: readonly string[];
};

/** Flags, raised ones first, each with the rule that raises it, from the dataset's definition. */
export function FlagList({ agentId, row, names }: FlagListProps): ReactElement {
  const columns = useColumns(agentId);
  const ordered = names.toSorted((left, right) => Number(row[right] === true) - Number(row[left] === true));
  return (
    <ul className="space-y-2 text-sm">
      {ordered.map((name) => (
        <li key={name}>
          <Badge tone={row[name] === true ? "bad" : "quiet"}>{row[name] === true ? "raised" : "clear"}</Badge>{" "}
          <span className={row[name] === true ? "font-medium" : ""}>{toWords(name)}</span>
          <span className="block text-xs text-ink-faint">{columns.get(name)?.about}</span>
        </li>
      ))}
    </ul>
  );
}

/** Description and unit of each field of a dataset, by name; empty until the definitions are loaded. */
export function useColumns(
  agentId: number,
): ReadonlyMap<string, { readonly about: string; readonly unit: string | null }> {
  const { data } = useDatasets();
  return useMemo(() => {
    const dataset = data?.find((one) => one.agent_id === agentId);
    return new Map((dataset?.row ?? []).map(({ name, about, unit }) => [name, { about, unit: unit ?? null }]));
  }, [data, agentId]);
}

const SPELLED: Readonly<Record<string, string>> = {
  pnl: "profit",
  roi: "ROI",
  usd: "USD",
  clv: "closing line value",
  hhi: "HHI",
  pct: "%",
};

/** A field's name as words: "total_pnl" is "Total profit". */
export function toWords(name: string): string {
  const words = name
    .replace(/_flag$/, "")
    .split("_")
    .map((word) => SPELLED[word] ?? word)
    .join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
