import { useMemo } from "react";
import { useDatasets } from "../api/datasets.ts";

/** What each field of a dataset means and in which unit, by its name; empty until the definitions are there. */
export function useColumns(
  agentId: number,
): ReadonlyMap<string, { readonly about: string; readonly unit: string | null }> {
  const { data } = useDatasets();
  return useMemo(() => {
    const dataset = data?.find((one) => one.agent_id === agentId);
    return new Map((dataset?.row ?? []).map(({ name, about, unit }) => [name, { about, unit: unit ?? null }]));
  }, [data, agentId]);
}
