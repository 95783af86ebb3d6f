import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useConsole } from "./console-context.ts";
import { pathWith } from "./path-with.ts";
import { readWhole } from "./read-whole.ts";

/** A complete list, for uses that must not miss a line: a choice, a count. */
export function useWhole<Whole extends { readonly has_more: boolean }, Line extends { readonly id: string }>(
  path: string,
  query: Readonly<Record<string, string>>,
  linesOf: (page: Whole) => readonly Line[],
  isOn = true,
): UseQueryResult<readonly Line[]> {
  const api = useConsole();
  return useQuery({
    queryKey: ["read", path, query, "whole"],
    queryFn: ({ signal }) =>
      readWhole(
        (after) => api.get<Whole>(pathWith(path, after === undefined ? query : { ...query, after }), signal),
        linesOf,
      ),
    enabled: isOn,
  });
}
