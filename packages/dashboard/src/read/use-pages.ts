import type { Answer, Params } from "@almanac/client";
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { useDatasetClient } from "../api/console-client.ts";
import { useDatasets } from "../api/datasets.ts";
import { toProblem } from "./to-problem.ts";

/** Page after page of one walk, asked for as the reader goes on; `mostPages` bounds what is kept. */
export function usePages<Row>(
  agentId: number,
  params: Params,
  how: { readonly limit: number; readonly mostPages: number },
): UseInfiniteQueryResult<InfiniteData<Answer<Row>>> {
  const client = useDatasetClient();
  const datasets = useDatasets();
  const largest = datasets.data?.find((one) => one.agent_id === agentId)?.limit.max;
  const limit = Math.min(how.limit, largest ?? how.limit);
  return useInfiniteQuery({
    queryKey: ["pages", agentId, params, limit],
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => {
      try {
        return await client.ask<Row>(agentId, params, {
          limit,
          signal,
          ...(pageParam === "" ? {} : { cursor: pageParam }),
        });
      } catch (error) {
        throw toProblem(error);
      }
    },
    getNextPageParam: (last, all) =>
      last.pagination.hasMore && all.length < how.mostPages ? last.pagination.nextCursor : null,
    enabled: !datasets.isPending,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
