import { useState, type ReactElement } from "react";
import { problemOf } from "../../api/problem-of.ts";
import type { Role } from "../../api/session-user.ts";
import { useCreateUser, type MadeUser } from "../../api/users.ts";
import { AccountSelect } from "../../app/account-select.tsx";
import { useSession } from "../../app/session-context.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { roleChoices } from "./role-choices.ts";

interface AddUserProps {
  readonly onClose: () => void;
  readonly onMade: (made: MadeUser) => void;
}

export function AddUserDialog({ onClose, onMade }: AddUserProps): ReactElement {
  const me = useSession();
  const [account, setAccount] = useState(me.account.id);
  const create = useCreateUser();
  return (
    <FormDialog
      title="Add a user"
      confirm="Add user"
      change={create}
      onClose={onClose}
      onConfirm={({ email, name, role }) =>
        create.mutate(
          {
            email: email.trim(),
            name: name.trim(),
            role: role as Role,
            ...(account === me.account.id ? {} : { account }),
          },
          { onSuccess: onMade },
        )
      }
      fields={[
        { name: "name", label: "Name", required: true, maxLength: 200 },
        {
          name: "email",
          label: "E-mail",
          type: "email",
          required: true,
          help: "They sign in with it. A first password is made and shown to you once.",
        },
        { name: "role", label: "Role", initial: "member", choices: roleChoices(me.role) },
      ]}
    >
      <AccountSelect value={account} onChange={setAccount} error={problemOf(create.error)?.of("account")} />
    </FormDialog>
  );
}
