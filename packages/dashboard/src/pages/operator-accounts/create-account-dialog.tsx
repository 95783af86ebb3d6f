import { useState, type ReactElement } from "react";
import { useCreateAccount, type MadeAccount } from "../../api/accounts.ts";
import { problemOf } from "../../api/problem-of.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { PlanSelect } from "./plan-select.tsx";

interface CreateAccountProps {
  readonly onClose: () => void;
  readonly onMade: (made: MadeAccount) => void;
}

export function CreateAccountDialog({ onClose, onMade }: CreateAccountProps): ReactElement {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [plan, setPlan] = useState("free");
  const create = useCreateAccount();
  const problem = problemOf(create.error);
  return (
    <FormDialog
      title="Create an account"
      confirm="Create account"
      isBusy={create.isPending}
      error={create.error}
      onClose={onClose}
      onConfirm={() => create.mutate({ name: name.trim(), email: email.trim(), plan }, { onSuccess: onMade })}
    >
      <TextInput
        label="Name"
        required
        maxLength={200}
        value={name}
        onChange={setName}
        help="The company or person."
        error={problem?.of("name")}
      />
      <TextInput
        label="Owner's e-mail"
        type="email"
        required
        value={email}
        onChange={setEmail}
        help="The account's first user. Their first password is shown to you once."
        error={problem?.of("email")}
      />
      <PlanSelect value={plan} onChange={setPlan} error={problem?.of("plan")} />
    </FormDialog>
  );
}
