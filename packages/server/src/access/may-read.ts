import type { Caller } from "./caller.ts";

/** What the check needs of a dataset's definition. */
export type Readable = { readonly agentId: number; readonly plan: string };

/** Both the caller's plan and the key's own list must include the dataset. */
export function mayRead(caller: Caller, dataset: Readable): boolean {
  if (caller.datasets !== null && !caller.datasets.includes(dataset.agentId)) return false;
  const { datasets } = caller.plan;
  return datasets === "all" || datasets.includes(dataset.agentId) || datasets.includes(dataset.plan);
}
