import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { Dataset } from "../explore/dataset.ts";
import { useConsole } from "./console-context.ts";

/** Every dataset with its definition, and whether the signed-in account may read it. */
export function useDatasets(): UseQueryResult<readonly Dataset[]> {
  const api = useConsole();
  return useQuery({
    queryKey: ["datasets"],
    queryFn: async ({ signal }) => (await api.get<{ datasets: readonly Dataset[] }>("/datasets", signal)).datasets,
    staleTime: 10 * 60_000,
  });
}
