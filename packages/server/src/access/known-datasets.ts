import { AccessError } from "./access-error.ts";
import type { Readable } from "./caller.ts";

/** Throws for an agent id that no dataset has: a mistyped list would otherwise silently refuse queries. */
export function requireKnownDatasets(
  catalogue: readonly Pick<Readable, "agentId">[],
  agentIds: readonly number[],
): void {
  const strangers = agentIds.filter((agentId) => !catalogue.some((dataset) => dataset.agentId === agentId));
  if (strangers.length === 0) return;
  const problem = `no dataset has the agent_id ${strangers.slice(0, 5).join(", ")}`;
  throw new AccessError("invalid", `datasets: ${problem}`, [{ path: "datasets", problem }]);
}
