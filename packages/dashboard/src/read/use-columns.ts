import { useMemo } from "react";
import { useDatasets } from "../api/datasets.ts";

/** Description and unit of each field of a dataset, by name; empty until the definitions are loaded. */
export function useColumns(
  agentId: number,
): ReadonlyMap<string, { readonly about: string; readonly unit: string | null }> {
  const { data } = useDatasets();
  return useMemo(() => {
    const dataset = data?.find((one) => one.agent_id === agentId);
    return new Map((dataset?.row ?? []).map(({ name, about, unit }) => [name, { about, unit: unit ?? null }]));
  }, [data, agentId]);
}
