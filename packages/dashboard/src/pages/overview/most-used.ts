import type { UsageLine } from "../../api/usage.ts";

interface Used {
  readonly agent_id: number;
  readonly requests: number;
}

/** The most requested datasets, most first; requests that named no dataset are omitted. */
export function mostUsed(lines: readonly Pick<UsageLine, "agent_id" | "requests">[], most: number): readonly Used[] {
  const sums = new Map<number, number>();
  for (const { agent_id, requests } of lines)
    if (agent_id !== null && agent_id !== 0) sums.set(agent_id, (sums.get(agent_id) ?? 0) + requests);
  return [...sums.entries()]
    .map(([agent_id, requests]) => ({ agent_id, requests }))
    .toSorted((a, b) => b.requests - a.requests || a.agent_id - b.agent_id)
    .slice(0, most);
}
