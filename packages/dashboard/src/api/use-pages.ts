import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { useConsole } from "./console-context.ts";

interface Page {
  readonly has_more: boolean;
}

/** A list that is read a page at a time, newest first; `lastId` is what the next page comes before. */
export function usePages<Told extends Page>(
  path: string,
  query: Readonly<Record<string, string>>,
  lastId: (page: Told) => number | undefined,
): UseInfiniteQueryResult<InfiniteData<Told>> {
  const api = useConsole();
  return useInfiniteQuery({
    queryKey: ["pages", path, query],
    initialPageParam: "",
    staleTime: 0,
    queryFn: ({ pageParam, signal }) => {
      const asked = new URLSearchParams({ ...query, ...(pageParam === "" ? {} : { before: pageParam }) });
      return api.get<Told>(`${path}?${asked.toString()}`, signal);
    },
    getNextPageParam: (page) => {
      const last = lastId(page);
      return page.has_more && last !== undefined ? String(last) : undefined;
    },
  });
}
