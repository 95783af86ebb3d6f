import { useState } from "react";
import type { UsageFilter } from "../../api/usage.ts";
import { daysOf, readUsageFilter } from "../usage/usage-filter.ts";

/** The last 30 days, as a usage filter and as a list. */
export function useLastDays(): { readonly filter: UsageFilter; readonly days: readonly string[] } {
  const [lastDays] = useState(() => {
    const { from, to } = readUsageFilter(new URLSearchParams(), Date.now());
    return { filter: { from, to }, days: daysOf({ from, to }) };
  });
  return lastDays;
}
