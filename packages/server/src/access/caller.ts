import type { PlanDatasets } from "../records/schema.ts";

export type CallerPlan = {
  readonly name: string;
  readonly requestsPerMinute: number;
  readonly burst: number;
  readonly maxPage: number;
  readonly datasets: PlanDatasets;
};

/** Who a valid token belongs to and what that allows. `prefix` is the key's public part, safe for logs. */
export type Caller = {
  readonly keyId: string;
  readonly prefix: string;
  readonly accountId: string;
  readonly plan: CallerPlan;
  /** The agent ids the key is limited to; null for whatever the plan allows. */
  readonly datasets: readonly number[] | null;
};
