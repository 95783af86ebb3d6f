import type { KeyMode } from "../definition/key-mode.ts";
import type { PlanDatasets, PlanRow } from "../records/schema.ts";

/** How many requests a minute, and how many at once after a rest. */
export type Pace = { readonly requestsPerMinute: number; readonly burst: number };

export type CallerPlan = Pace & {
  readonly name: string;
  readonly maxPage: number;
  /** Wallets, tokens, markets or phrases that a parameter may list. */
  readonly maxList: number;
  /** Questions of the account under way at once, and of one of its keys, for each process that answers. */
  readonly atOnce: number;
  readonly keyAtOnce: number;
  readonly datasets: PlanDatasets;
};

/** Who a valid token belongs to and what that allows. `prefix` is the key's public part, safe for logs. */
export type Caller = {
  readonly keyId: string;
  readonly prefix: string;
  readonly accountId: string;
  /** What all keys and users of the account share. */
  readonly plan: CallerPlan;
  /** The key's own limit within the account's; null for none. */
  readonly keyPace: Pace | null;
  /** The agent ids the key is limited to; null for whatever the plan allows. */
  readonly datasets: readonly number[] | null;
  readonly mode: KeyMode;
};

/** A key's own limit as it is stored: both figures, or neither. */
export const paceOf = (requestsPerMinute: number | null, burst: number | null): Pace | null =>
  requestsPerMinute === null || burst === null ? null : { requestsPerMinute, burst };

type StoredPlan = Pick<
  PlanRow,
  "name" | "requests_per_minute" | "burst" | "max_page" | "max_list" | "at_once" | "key_at_once" | "datasets"
>;

/** A plan as it is stored, as that of a caller. */
export const planOf = (row: StoredPlan): CallerPlan => ({
  name: row.name,
  requestsPerMinute: row.requests_per_minute,
  burst: row.burst,
  maxPage: row.max_page,
  maxList: row.max_list,
  atOnce: row.at_once,
  keyAtOnce: row.key_at_once,
  datasets: row.datasets,
});

/** What the check needs of a dataset's definition. */
export type Readable = {
  readonly agentId: number;
  readonly plan: string;
  /** It is read only by who may read that one too. */
  readonly goesWith?: Readable | undefined;
};

/** Both the caller's plan and the key's own list must include the dataset, and the one that it goes with. */
export function mayRead(caller: Caller, dataset: Readable): boolean {
  if (dataset.goesWith !== undefined && !mayRead(caller, dataset.goesWith)) return false;
  if (caller.datasets !== null && !caller.datasets.includes(dataset.agentId)) return false;
  const { datasets } = caller.plan;
  return datasets === "all" || datasets.includes(dataset.agentId) || datasets.includes(dataset.plan);
}
