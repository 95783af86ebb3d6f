import { useAllAccounts } from "../../api/accounts.ts";
import { useDatasets } from "../../api/datasets.ts";
import { usePlans } from "../../api/plans.ts";
import { useSession } from "../../app/session-context.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { readableBy } from "./readable-by.ts";

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
