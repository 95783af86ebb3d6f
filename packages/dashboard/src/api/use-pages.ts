import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { useConsole } from "./console-context.ts";
import { pathWith } from "./path-with.ts";

interface Page {
  readonly has_more: boolean;
}

/** A paginated list; the next page comes before or after `lastId`. */
export function usePages<Fetched extends Page>(
  path: string,
  query: Readonly<Record<string, string>>,
  goesOn: "before" | "after",
  lastId: (page: Fetched) => string | number | undefined,
): UseInfiniteQueryResult<InfiniteData<Fetched>> {
  const api = useConsole();
  return useInfiniteQuery({
    queryKey: ["read", path, query],
    initialPageParam: "",
    staleTime: 0,
    queryFn: ({ pageParam, signal }) =>
      api.get<Fetched>(pathWith(path, pageParam === "" ? query : { ...query, [goesOn]: pageParam }), signal),
    getNextPageParam: (page) => {
      const last = lastId(page);
      return page.has_more && last !== undefined ? String(last) : undefined;
    },
  });
}
