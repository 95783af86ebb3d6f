import { AccessError } from "../../access/access-error.ts";
import type { DatasetDefinition } from "../../definition/dataset.ts";

/** Throws for an agent id that no dataset has: a list with a slip of the pen would refuse in silence. */
export function requireKnownDatasets(catalogue: readonly DatasetDefinition[], agentIds: readonly number[]): void {
  const strangers = agentIds.filter((agentId) => !catalogue.some((dataset) => dataset.agentId === agentId));
  if (strangers.length === 0) return;
  const problem = `no dataset has the agent_id ${strangers.slice(0, 5).join(", ")}`;
  throw new AccessError("invalid", `datasets: ${problem}`, [{ path: "datasets", problem }]);
}
