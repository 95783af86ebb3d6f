import { useAllAccounts } from "../../api/accounts.ts";
import { useDatasets } from "../../api/datasets.ts";
import { useKeysOf } from "../../api/keys.ts";
import { useSession } from "../../app/session-context.ts";

export interface FilterChoice {
  readonly value: string;
  readonly label: string;
}

export interface FilterChoices {
  readonly keys: readonly FilterChoice[];
  readonly datasets: readonly FilterChoice[];
  /** Only for operators; empty for others. */
  readonly accounts: readonly FilterChoice[];
}

/** Filter choices for the usage of an account (the user's own if none is named). */
export function useFilterChoices(account: string | undefined): FilterChoices {
  const user = useSession();
  const isOperator = user.role === "operator";
  const named = account === undefined || account === "" ? user.account.id : account;
  const keys = useKeysOf(named);
  const datasets = useDatasets();
  const accounts = useAllAccounts(isOperator);
  const isOwn = named === user.account.id;
  return {
    keys: [
      ...(keys.data ?? []).map(({ id, name, prefix }) => ({ value: id, label: `${name} (${prefix}…)` })),
      ...(isOwn ? [{ value: user.id, label: "Your own in the explorer" }] : []),
    ],
    datasets: [
      ...(datasets.data ?? []).map(({ agent_id, title }) => ({ value: String(agent_id), label: title })),
      { value: "0", label: "No dataset" },
    ],
    accounts: isOperator
      ? (accounts.data ?? [])
          .filter(({ id }) => id !== user.account.id)
          .map(({ id, name }) => ({ value: id, label: name }))
      : [],
  };
}
