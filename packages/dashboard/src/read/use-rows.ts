import type { Answer, Params } from "@almanac/client";
import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useDatasetClient } from "../api/console-client.ts";
import { useDatasets } from "../api/datasets.ts";
import { toProblem } from "./to-problem.ts";

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
  const client = useDatasetClient();
  const datasets = useDatasets();
  const { isOn = true, everyMs, keepsLast = true } = how;
  const largest = datasets.data?.find((one) => one.agent_id === agentId)?.limit.max;
  const limit = Math.min(how.limit, largest ?? how.limit);
  return useQuery({
    queryKey: ["ask", agentId, params, limit],
    queryFn: async ({ signal }) => {
      try {
        return await client.ask<Row>(agentId, params, { limit, signal });
      } catch (error) {
        throw toProblem(error);
      }
    },
    enabled: isOn && !datasets.isPending,
    retry: false,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(keepsLast ? { placeholderData: keepPreviousData } : {}),
  });
}
