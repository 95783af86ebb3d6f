import type { ReactElement } from "react";
import {
  useCreateAccount,
  useSetPlan,
  useSwitchAccount,
  type Account,
  type MadeAccount,
  usePlans,
} from "../../api/accounts.ts";
import { showFigure } from "../../read/exact-figures.ts";
import { FormDialog, type FormField } from "../../ui/form-dialog.tsx";
import type { AccountAction } from "./account-columns.tsx";

function usePlanField(initial: string): FormField<"plan"> {
  const { data, error } = usePlans();
  const known = (data?.plans ?? []).map(({ name, requests_per_minute: rate }) => ({
    value: name,
    label: `${name} (${showFigure(rate)} requests a minute in all)`,
  }));
  const choices = known.length === 0 ? [{ value: initial, label: initial }] : known;
  return { name: "plan", label: "Plan", initial, choices, error: error?.message };
}

interface CreateAccountProps {
  readonly onClose: () => void;
  readonly onMade: (made: MadeAccount) => void;
}

export function CreateAccountDialog({ onClose, onMade }: CreateAccountProps): ReactElement {
  const create = useCreateAccount();
  const plan = usePlanField("free");
  return (
    <FormDialog
      title="Create an account"
      confirm="Create account"
      change={create}
      onClose={onClose}
      onConfirm={({ name, email, plan: to }) =>
        create.mutate({ name: name.trim(), email: email.trim(), plan: to }, { onSuccess: onMade })
      }
      fields={[
        { name: "name", label: "Name", required: true, maxLength: 200, help: "The company or person." },
        {
          name: "email",
          label: "Owner's e-mail",
          type: "email",
          required: true,
          help: "The account's first user. Their first password is shown to you once.",
        },
        plan,
      ]}
    />
  );
}

interface ChangeAccountProps {
  readonly action: AccountAction;
  readonly account: Account;
  readonly onClose: () => void;
}

export function ChangeAccountDialog({ action, account, onClose }: ChangeAccountProps): ReactElement {
  const [setPlan, turn] = [useSetPlan(), useSwitchAccount()];
  const planField = usePlanField(account.plan);
  const { id, name } = account;
  if (action === "plan") {
    return (
      <FormDialog
        title={`Plan of ${name}`}
        confirm="Set plan"
        change={setPlan}
        onClose={onClose}
        onConfirm={({ plan }) => setPlan.mutate({ id, plan }, { onSuccess: onClose })}
        fields={[planField]}
      >
        <p>All keys and users of the account get the new plan's datasets and limits within a second.</p>
      </FormDialog>
    );
  }
  const isOn = account.disabled_at !== null;
  return (
    <FormDialog
      title={`${isOn ? "Enable" : "Disable"} ${name}`}
      confirm={isOn ? "Enable account" : "Disable account"}
      isDangerous={!isOn}
      change={turn}
      onClose={onClose}
      onConfirm={() => turn.mutate({ id, isOn }, { onSuccess: onClose })}
    >
      <p>
        {isOn
          ? "Its keys and users work again immediately."
          : "Its keys are refused within a second and its users are signed out. Nothing is deleted; it can be enabled again."}
      </p>
    </FormDialog>
  );
}
