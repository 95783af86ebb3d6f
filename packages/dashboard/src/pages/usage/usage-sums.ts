import type { UsageLine } from "../../api/usage.ts";
import type { ChartColor, ChartSeries } from "../../charts/chart-series.ts";

type Counted = Pick<UsageLine, "day" | "agent_id" | "status" | "requests">;

const MAX_NAMED = 5;

const CLASSES: readonly {
  readonly label: string;
  readonly color: ChartColor;
  readonly has: (status: number) => boolean;
}[] = [
  { label: "Answered", color: "1", has: (status) => status < 400 },
  { label: "Rate limited (429)", color: "2", has: (status) => status === 429 },
  { label: "Refused (4xx)", color: "3", has: (status) => status >= 400 && status < 500 && status !== 429 },
  { label: "Failed (5xx)", color: "down", has: (status) => status >= 500 },
];

/** Requests per day, grouped by `nameOf`. */
function byDay<Line extends Counted>(
  lines: readonly Line[],
  days: readonly string[],
  nameOf: (line: Line) => string,
): Map<string, number[]> {
  const at = new Map(days.map((day, index) => [day, index]));
  const sums = new Map<string, number[]>();
  for (const line of lines) {
    const index = at.get(line.day ?? "");
    if (index === undefined) continue;
    const name = nameOf(line);
    const sum = sums.get(name) ?? days.map(() => 0);
    sum[index] = (sum[index] ?? 0) + line.requests;
    sums.set(name, sum);
  }
  return sums;
}

/** One series per class of status; classes that never occurred are omitted. */
export function toStatusSeries(lines: readonly Counted[], days: readonly string[]): readonly ChartSeries[] {
  const sums = byDay(lines, days, ({ status }) => CLASSES.find(({ has }) => has(status ?? 200))?.label ?? "Answered");
  return CLASSES.flatMap(({ label, color }) => {
    const values = sums.get(label);
    return values === undefined ? [] : [{ label, color, values, kind: "bars" as const }];
  });
}

/**
 * One series for each of the most requested datasets, one for all others, and one for what of the days' totals has no
 * line: the service leaves out the oldest lines if there are many.
 */
export function toDatasetSeries(
  lines: readonly Counted[],
  totals: readonly Pick<UsageLine, "day" | "requests">[],
  days: readonly string[],
  titleOf: (agentId: number) => string,
): readonly ChartSeries[] {
  const byId = new Map<number, number>();
  for (const { agent_id, requests } of lines) byId.set(agent_id ?? 0, (byId.get(agent_id ?? 0) ?? 0) + requests);
  const named = [...byId.entries()].toSorted(([, a], [, b]) => b - a).map(([id]) => id);
  const top = named.slice(0, MAX_NAMED);
  const sums = byDay(lines, days, ({ agent_id }) => (top.includes(agent_id ?? 0) ? titleOf(agent_id ?? 0) : "Others"));
  const shown = [...top.map((id) => titleOf(id)), "Others"].flatMap((label, index) => {
    const values = sums.get(label);
    const color: ChartColor = label === "Others" ? "muted" : (String(index + 1) as ChartColor);
    return values === undefined ? [] : [{ label, color, values, kind: "bars" as const }];
  });
  const rest = days.map((day, index) => {
    const total = totals.find((one) => one.day === day)?.requests ?? 0;
    return Math.max(0, total - shown.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  });
  if (!rest.some((requests) => requests > 0)) return shown;
  return [...shown, { label: "Not split by dataset", color: "6", values: rest, kind: "bars" }];
}

interface Shown {
  /** The data belongs to the previous filter. */
  readonly isPlaceholderData: boolean;
}

interface ByStatus extends Shown {
  readonly isSuccess: boolean;
  readonly data: { readonly lines: readonly Pick<UsageLine, "status" | "requests">[] } | undefined;
}

/** Requests that were refused or failed; null until both results belong to the same filter. */
export function unansweredOf(total: Shown, { isSuccess, isPlaceholderData, data }: ByStatus): number | null {
  if (!isSuccess || data === undefined || isPlaceholderData || total.isPlaceholderData) return null;
  return data.lines.filter(({ status }) => (status ?? 0) >= 400).reduce((sum, { requests }) => sum + requests, 0);
}
