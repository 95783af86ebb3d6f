import type { ReactElement } from "react";
import { useAllAccounts } from "../api/accounts.ts";
import { Select } from "../ui/form-fields.tsx";
import { useSession } from "./session-context.ts";

interface AccountSelectProps {
  readonly value: string;
  readonly onChange: (accountId: string) => void;
  readonly error?: string | undefined;
}

function Choice({ value, onChange, error }: AccountSelectProps): ReactElement {
  const { account: own } = useSession();
  const accounts = useAllAccounts();
  const others = (accounts.data ?? []).filter(({ id, disabled_at }) => id !== own.id && disabled_at === null);
  return (
    <Select
      label="Account"
      value={value}
      onChange={onChange}
      choices={[
        { value: own.id, label: `${own.name} (your own)` },
        ...others.map(({ id, name, email }) => ({ value: id, label: `${name} · ${email}` })),
      ]}
      error={error ?? (accounts.isError ? accounts.error.message : undefined)}
    />
  );
}

/** Selects the owning account; only an operator may choose. */
export function AccountSelect(props: AccountSelectProps): ReactElement | null {
  return useSession().role === "operator" ? <Choice {...props} /> : null;
}
