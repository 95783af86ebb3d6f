import type { Answer, Params } from "@almanac/client";
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { useAsk } from "./use-ask.ts";

/** Pages of one walk, requested as the user continues; `maxPages` bounds how many are kept. */
export function usePages<Row>(
  agentId: number,
  params: Params,
  how: { readonly limit: number; readonly maxPages: number },
): UseInfiniteQueryResult<InfiniteData<Answer<Row>>> {
  const { ask, limitOf, isReady } = useAsk();
  const limit = limitOf(agentId, how.limit);
  return useInfiniteQuery({
    queryKey: ["pages", agentId, params, limit],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      ask<Row>(agentId, params, { limit, signal, ...(pageParam === "" ? {} : { cursor: pageParam }) }),
    getNextPageParam: (last, all) =>
      last.pagination.hasMore && all.length < how.maxPages ? last.pagination.nextCursor : null,
    enabled: isReady,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
