import type { ListedPlan } from "../../../server/src/access/plans.ts";
import type { AsJson } from "./as-json.ts";
import type { UseMutationResult, UseQueryResult } from "@tanstack/react-query";
import { useChange } from "./use-change.ts";
import { useRead } from "./use-read.ts";

/** "all", or agent ids and names of plans whose datasets it includes. */
export type PlanDatasets = "all" | readonly (number | string)[];

export type Plan = AsJson<Omit<ListedPlan, "accounts">>;

export type PlanEdit = Omit<Plan, "rank">;

export const usePlans = (isOn = true): UseQueryResult<{ readonly plans: readonly Plan[] }> =>
  useRead("/operator/plans", { isOn });

export const useEditPlan = (): UseMutationResult<unknown, Error, PlanEdit> =>
  useChange(["/operator/plans", "/quota"], ({ name, ...body }) => ({
    method: "PUT",
    path: `/operator/plans/${encodeURIComponent(name)}`,
    body,
  }));
