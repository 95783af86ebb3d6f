import type { KeyMode } from "../definition/vocabulary.ts";
import type { PlanDatasets, PlanRow } from "../records/schema.ts";

/** Requests per minute, and requests at once after a rest. */
export type Pace = { readonly requestsPerMinute: number; readonly burst: number };

export type CallerPlan = Pace & {
  readonly name: string;
  readonly maxPage: number;
  /** Wallets, tokens, markets or phrases that a parameter may list. */
  readonly maxList: number;
  /** Concurrent requests of the account, and of one of its keys, per server process. */
  readonly atOnce: number;
  readonly keyAtOnce: number;
  readonly datasets: PlanDatasets;
};

/** The owner of a valid token and its limits. `prefix` is the key's public part, safe for logs. */
export type Caller = {
  readonly keyId: string;
  readonly prefix: string;
  readonly accountId: string;
  /** Shared by all keys and users of the account. */
  readonly plan: CallerPlan;
  /** The key's own limit within the account's; null for none. */
  readonly keyPace: Pace | null;
  /** The agent ids the key is limited to; null for all that the plan allows. */
  readonly datasets: readonly number[] | null;
  readonly mode: KeyMode;
};

/** A key's own limit as stored: both figures, or neither. */
export const paceOf = (requestsPerMinute: number | null, burst: number | null): Pace | null =>
  requestsPerMinute === null || burst === null ? null : { requestsPerMinute, burst };

type StoredPlan = Pick<
  PlanRow,
  "name" | "requests_per_minute" | "burst" | "max_page" | "max_list" | "at_once" | "key_at_once" | "datasets"
>;

/** Converts a stored plan to a caller's plan. */
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

/** The part of a dataset's definition that the check needs. */
export type Readable = {
  readonly agentId: number;
  readonly plan: string;
  /** Readable only by callers who may read that dataset too. */
  readonly goesWith?: Readable | undefined;
};

/** Both the caller's plan and the key's own list must include the dataset, and the one it depends on. */
export function mayRead(caller: Caller, dataset: Readable): boolean {
  if (dataset.goesWith !== undefined && !mayRead(caller, dataset.goesWith)) return false;
  if (caller.datasets !== null && !caller.datasets.includes(dataset.agentId)) return false;
  const { datasets } = caller.plan;
  return datasets === "all" || datasets.includes(dataset.agentId) || datasets.includes(dataset.plan);
}
