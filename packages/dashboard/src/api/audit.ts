import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { useConsole } from "./console-context.ts";

export interface AuditEntry {
  readonly id: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: unknown;
  readonly at: string;
}

interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly has_more: boolean;
}

const PAGE = 100;

/** Who changed what, newest first, a page at a time. */
export function useAudit(): UseInfiniteQueryResult<InfiniteData<AuditPage>> {
  const api = useConsole();
  return useInfiniteQuery({
    queryKey: ["audit"],
    initialPageParam: "",
    staleTime: 0,
    queryFn: ({ pageParam, signal }) =>
      api.get<AuditPage>(`/audit?limit=${PAGE}${pageParam === "" ? "" : `&before=${pageParam}`}`, signal),
    getNextPageParam: (page) => (page.has_more ? String(page.entries.at(-1)?.id ?? "") : undefined),
  });
}
