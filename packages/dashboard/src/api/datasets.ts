import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { Dataset } from "../explore/dataset.ts";
import type { Snippets } from "../explore/request.ts";
import { useConsole } from "./console.ts";

type Reported = { readonly datasets: readonly Dataset[]; readonly snippets: Snippets };

/** Every dataset with its definition, and whether the signed-in account may read it. */
export const useDatasets = (): UseQueryResult<readonly Dataset[]> => useReported(({ datasets }) => datasets);

/** Code snippets of a dataset query, with placeholders to fill in. */
export const useSnippets = (): UseQueryResult<Snippets> => useReported(({ snippets }) => snippets);

function useReported<T>(select: (reported: Reported) => T): UseQueryResult<T> {
  const api = useConsole();
  return useQuery({
    queryKey: ["read", "/datasets"],
    queryFn: ({ signal }) => api.get<Reported>("/datasets", signal),
    select,
    staleTime: 10 * 60_000,
    // A form that waits for its user to sign in again is generated from them.
    gcTime: Number.POSITIVE_INFINITY,
  });
}
