import type { Account } from "../../api/accounts.ts";
import type { Plan } from "../../api/plans.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { datasetsOfPlan } from "../operator-plans/datasets-of-plan.ts";

/** Datasets that another account's plan may read; undefined if its plan is not known. */
export function readableBy<Some extends Pick<Dataset, "agent_id" | "plan">>(
  accountId: string,
  accounts: readonly Pick<Account, "id" | "plan">[],
  plans: readonly Pick<Plan, "name" | "datasets">[],
  datasets: readonly Some[],
): readonly Some[] | undefined {
  const account = accounts.find(({ id }) => id === accountId);
  const plan = plans.find(({ name }) => name === account?.plan);
  return plan === undefined ? undefined : datasetsOfPlan(plan.datasets, datasets);
}
