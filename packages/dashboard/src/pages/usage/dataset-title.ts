import type { Dataset } from "../../explore/dataset.ts";

/** What a usage line's agent id is called; 0 stands for requests that named no dataset. */
export function datasetTitle(agentId: number, datasets: readonly Pick<Dataset, "agent_id" | "title">[]): string {
  if (agentId === 0) return "No dataset";
  return datasets.find(({ agent_id }) => agent_id === agentId)?.title ?? `Dataset ${agentId}`;
}
