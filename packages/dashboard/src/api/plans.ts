import type { UseMutationResult, UseQueryResult } from "@tanstack/react-query";
import { useChange } from "./use-change.ts";
import { useRead } from "./use-read.ts";

/** "all", or agent ids and names of plans whose datasets it includes. */
export type PlanDatasets = "all" | readonly (number | string)[];

export interface Plan {
  readonly name: string;
  readonly datasets: PlanDatasets;
  readonly requests_per_minute: number;
  readonly burst: number;
  readonly max_page: number;
  /** Wallets, tokens, markets or phrases that a parameter may list. */
  readonly max_list: number;
  /** Questions of an account under way at once, and of one of its keys. */
  readonly at_once: number;
  readonly key_at_once: number;
  /** How many keys that work, and users who are not disabled, an account may have. */
  readonly keys: number;
  readonly users: number;
  readonly rank: number;
}

export type PlanEdit = Omit<Plan, "rank">;

export const usePlans = (isOn = true): UseQueryResult<{ readonly plans: readonly Plan[] }> =>
  useRead("/operator/plans", { isOn });

export const useEditPlan = (): UseMutationResult<unknown, Error, PlanEdit> =>
  useChange(["/operator/plans", "/quota"], ({ name, ...body }) => ({
    method: "PUT",
    path: `/operator/plans/${encodeURIComponent(name)}`,
    body,
  }));
