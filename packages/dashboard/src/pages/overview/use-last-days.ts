import { useMemo } from "react";
import type { UsageFilter } from "../../api/usage.ts";
import { useToday } from "../../read/use-today.ts";
import { daysOf, readUsageFilter } from "../usage/usage-filter.ts";

/** The last 30 days, as a usage filter and as a list. */
export function useLastDays(): { readonly filter: UsageFilter; readonly days: readonly string[] } {
  const today = useToday();
  return useMemo(() => {
    const { from, to } = readUsageFilter(new URLSearchParams(), Date.parse(today));
    return { filter: { from, to }, days: daysOf({ from, to }) };
  }, [today]);
}
