import type { ReactElement } from "react";
import type { Role } from "../../api/session-user.ts";
import { useResetPassword, useSetRole, useSwitchUser, type MadeUser, type User } from "../../api/users.ts";
import { useSession } from "../../app/session-context.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";

export type UserAction = "role" | "password" | "switch";

interface ChangeUserProps {
  readonly action: UserAction;
  readonly user: User;
  readonly onClose: () => void;
  readonly onMade: (made: MadeUser) => void;
}

export function ChangeUserDialog({ action, user, onClose, onMade }: ChangeUserProps): ReactElement {
  const me = useSession();
  const [setRole, reset, turn] = [useSetRole(), useResetPassword(), useSwitchUser()];
  const { id, name, email } = user;
  if (action === "role") {
    return (
      <FormDialog
        title={`Role of ${name}`}
        confirm="Set role"
        change={setRole}
        onClose={onClose}
        onConfirm={({ role }) => setRole.mutate({ id, role: role as Role }, { onSuccess: onClose })}
        fields={[{ name: "role", label: "Role", initial: user.role, choices: roleChoices(me.role) }]}
      />
    );
  }
  if (action === "password") {
    return (
      <FormDialog
        title={`New password for ${name}`}
        confirm="Create a password"
        change={reset}
        onClose={onClose}
        onConfirm={() => reset.mutate({ id }, { onSuccess: onMade })}
      >
        <p>The old password stops working immediately, and {email} is signed out everywhere.</p>
      </FormDialog>
    );
  }
  const isOn = user.disabled_at !== null;
  return (
    <FormDialog
      title={`${isOn ? "Enable" : "Disable"} ${name}`}
      confirm={isOn ? "Enable user" : "Disable user"}
      isDangerous={!isOn}
      change={turn}
      onClose={onClose}
      onConfirm={() => turn.mutate({ id, isOn }, { onSuccess: onClose })}
    >
      <p>
        {isOn
          ? `${email} can sign in again with the old password.`
          : `${email} is signed out and cannot sign in. Keys they created keep working; revoke them on the Keys page.`}
      </p>
    </FormDialog>
  );
}

const CHOICES: readonly { readonly value: Role; readonly label: string }[] = [
  { value: "member", label: "Member: reads, creates keys" },
  { value: "owner", label: "Owner: manages the account" },
  { value: "operator", label: "Operator: manages the service" },
];

/** The roles that the user may assign; only an operator can create operators. */
export function roleChoices(mine: Role): readonly { readonly value: Role; readonly label: string }[] {
  return mine === "operator" ? CHOICES : CHOICES.filter(({ value }) => value !== "operator");
}
