import type { Answer, Params } from "@almanac/client";
import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useAsk } from "./use-ask.ts";

type How = {
  /** Rows wanted; fewer where the account's plan gives smaller pages. */
  readonly limit: number;
  /** False: nothing is asked yet. */
  readonly isOn?: boolean;
  /** Asked again after so many milliseconds, as long as the page is seen. */
  readonly everyMs?: number;
  /** What was shown stays until the next answer is there. */
  readonly keepsLast?: boolean;
};

/** One page of a dataset as a page shows it: rows, coverage, and whether it is loading or failed. */
export function useRows<Row>(agentId: number, params: Params, how: How): UseQueryResult<Answer<Row>> {
  const { ask, limitOf, isReady } = useAsk();
  const { isOn = true, everyMs, keepsLast = true } = how;
  const limit = limitOf(agentId, how.limit);
  return useQuery({
    queryKey: ["ask", agentId, params, limit],
    queryFn: ({ signal }) => ask<Row>(agentId, params, { limit, signal }),
    enabled: isOn && isReady,
    retry: false,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(keepsLast ? { placeholderData: keepPreviousData } : {}),
  });
}
