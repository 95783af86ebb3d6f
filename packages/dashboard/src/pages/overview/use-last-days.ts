import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { useUsage, type Usage } from "../../api/usage.ts";
import { daysOf, readUsageFilter } from "../usage/usage-filter.ts";

/** The usage of the last 30 days, and the days. */
export function useLastDays(): { readonly usage: UseQueryResult<Usage>; readonly days: readonly string[] } {
  const [openedAt] = useState(() => Date.now());
  const { from, to } = readUsageFilter(new URLSearchParams(), openedAt);
  return { usage: useUsage({ from, to }), days: daysOf({ from, to }) };
}
