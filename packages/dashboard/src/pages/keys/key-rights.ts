import { useAllAccounts, usePlans, type Account, type Plan } from "../../api/accounts.ts";
import { useDatasets } from "../../api/datasets.ts";
import { useSession } from "../../app/session-context.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { datasetsOfPlan } from "../operator-plans/plan-form.ts";
import type { ApiKey } from "../../api/keys.ts";
import type { SessionUser } from "../../api/session-user.ts";

interface Readable {
  /** undefined: not known yet. */
  readonly datasets: readonly Dataset[] | undefined;
  readonly error: Error | null;
}

/** Datasets that a key of an account may read: the user's own account, or for operators another one. */
export function useReadableDatasets(accountId: string): Readable {
  const isOther = accountId !== useSession().account.id;
  const all = useDatasets();
  const accounts = useAllAccounts(isOther);
  const plans = usePlans(isOther);
  const error = all.error ?? accounts.error ?? plans.error;
  if (all.data === undefined) return { datasets: undefined, error };
  if (!isOther) return { datasets: all.data.filter(({ may_read }) => may_read), error };
  return { datasets: readableBy(accountId, accounts.data ?? [], plans.data?.plans ?? [], all.data), error };
}

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

/** A member may change the keys that it created; owners and operators all that they see. */
export function mayChangeKey(user: Pick<SessionUser, "id" | "role">, key: Pick<ApiKey, "created_by">): boolean {
  return user.role !== "member" || key.created_by === user.id;
}
