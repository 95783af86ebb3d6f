import type { Answer, Params } from "@almanac/client";
import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useAsk } from "./use-ask.ts";

type How = {
  /** Rows wanted; fewer if the account's plan has smaller pages. */
  readonly limit: number;
  /** False: no request is sent yet. */
  readonly isOn?: boolean;
  /** Polling interval in milliseconds, while the page is visible. */
  readonly everyMs?: number;
  /** Keeps the previous rows until the next response arrives. */
  readonly keepsLast?: boolean;
};

/** One page of a dataset for display: rows, coverage, and whether it is loading or failed. */
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
