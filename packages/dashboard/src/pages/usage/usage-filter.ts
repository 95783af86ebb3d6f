import type { UsageFilter } from "../../api/usage.ts";
import { readDay } from "../../read/read-day.ts";

const DAY_MS = 86_400_000;

export const RANGES = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "custom", label: "From a day to a day" },
] as const;

export const STATUSES = [
  { value: "", label: "All" },
  { value: "2xx", label: "Answered (2xx)" },
  { value: "4xx", label: "Refused (4xx)" },
  { value: "429", label: "Rate limited (429)" },
  { value: "5xx", label: "Failed (5xx)" },
] as const;

const DEFAULT_RANGE = "30";

const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The filter from the page's address; invalid parts are dropped. Days are UTC, both inclusive. */
export function readUsageFilter(
  search: URLSearchParams,
  now: number,
  /** The user's own account, which needs no filter. */
  own?: string,
): UsageFilter & { readonly range: string } {
  const text = (name: string): string => search.get(name) ?? "";
  const range = RANGES.some(({ value }) => value === text("range")) ? text("range") : DEFAULT_RANGE;
  const today = utcDay(now);
  const days = [readDay(text("from")), readDay(text("to"))];
  const [from, to] =
    range === "custom" && !days.includes("")
      ? days.toSorted((a, b) => (a < b ? -1 : 1))
      : [utcDay(now - (Number(range === "custom" ? DEFAULT_RANGE : range) - 1) * DAY_MS), today];
  return {
    range,
    from: from ?? today,
    to: to ?? today,
    account: text("account") === own ? "" : text("account"),
    key: text("key"),
    agent_id: /^\d+$/.test(text("agent_id")) ? text("agent_id") : "",
    status: STATUSES.some(({ value }) => value === text("status")) ? text("status") : "",
  };
}

/** The days as typed, in either order: swapped in the form, the one being typed would end up in the other field. */
export function typedDays(
  search: URLSearchParams,
  applied: Pick<UsageFilter, "from" | "to">,
): Pick<UsageFilter, "from" | "to"> {
  const [from, to] = [readDay(search.get("from") ?? ""), readDay(search.get("to") ?? "")];
  return from !== "" && to !== "" ? { from, to } : applied;
}

/** Every UTC day of the range, so that days without requests are shown as such. Bounded as in the service. */
export function daysOf({ from, to }: Pick<UsageFilter, "from" | "to">, most = 400): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to) && days.length < most; at += DAY_MS) days.push(utcDay(at));
  return days;
}
