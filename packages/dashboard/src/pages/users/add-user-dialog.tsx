import { useState, type ReactElement } from "react";
import { problemOf } from "../../api/problem-of.ts";
import type { Role } from "../../api/session-user.ts";
import { useCreateUser, type MadeUser } from "../../api/users.ts";
import { AccountSelect } from "../../app/account-select.tsx";
import { useSession } from "../../app/session-context.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Select } from "../../ui/select.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { roleChoices } from "./role-choices.ts";

interface AddUserProps {
  readonly onClose: () => void;
  readonly onMade: (made: MadeUser) => void;
}

export function AddUserDialog({ onClose, onMade }: AddUserProps): ReactElement {
  const me = useSession();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("member");
  const [account, setAccount] = useState(me.account.id);
  const create = useCreateUser();
  const problem = problemOf(create.error);
  return (
    <FormDialog
      title="Add a user"
      confirm="Add user"
      isBusy={create.isPending}
      error={create.error}
      onClose={onClose}
      onConfirm={() =>
        create.mutate(
          {
            email: email.trim(),
            name: name.trim(),
            role,
            ...(account === me.account.id ? {} : { account }),
          },
          { onSuccess: onMade },
        )
      }
    >
      <AccountSelect value={account} onChange={setAccount} error={problem?.of("account")} />
      <TextInput label="Name" required maxLength={200} value={name} onChange={setName} error={problem?.of("name")} />
      <TextInput
        label="E-mail"
        type="email"
        required
        value={email}
        onChange={setEmail}
        help="They sign in with it. A first password is made and shown to you once."
        error={problem?.of("email")}
      />
      <Select
        label="Role"
        value={role}
        onChange={(value) => setRole(value as Role)}
        choices={roleChoices(me.role)}
        error={problem?.of("role")}
      />
    </FormDialog>
  );
}
