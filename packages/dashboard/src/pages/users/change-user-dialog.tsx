import { useState, type ReactElement } from "react";
import type { Role } from "../../api/session-user.ts";
import { useResetPassword, useSetRole, useSwitchUser, type MadeUser, type User } from "../../api/users.ts";
import { useSession } from "../../app/session-context.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Select } from "../../ui/select.tsx";
import { roleChoices } from "./role-choices.ts";

export type UserAction = "role" | "password" | "switch";

interface ChangeProps {
  readonly user: User;
  readonly onClose: () => void;
}

function RoleDialog({ user, onClose }: ChangeProps): ReactElement {
  const me = useSession();
  const [role, setRole] = useState<Role>(user.role);
  const change = useSetRole();
  return (
    <FormDialog
      title={`Role of ${user.name}`}
      confirm="Set role"
      isBusy={change.isPending}
      error={change.error}
      onClose={onClose}
      onConfirm={() => change.mutate({ id: user.id, role }, { onSuccess: onClose })}
    >
      <Select label="Role" value={role} onChange={(to) => setRole(to as Role)} choices={roleChoices(me.role)} />
    </FormDialog>
  );
}

function PasswordDialog({ user, onClose, onMade }: ChangeProps & { onMade: (made: MadeUser) => void }): ReactElement {
  const reset = useResetPassword();
  return (
    <FormDialog
      title={`New password for ${user.name}`}
      confirm="Make a password"
      isBusy={reset.isPending}
      error={reset.error}
      onClose={onClose}
      onConfirm={() => reset.mutate({ id: user.id }, { onSuccess: onMade })}
    >
      <p>The old password ends at once, and {user.email} is signed out everywhere.</p>
    </FormDialog>
  );
}

function SwitchDialog({ user, onClose }: ChangeProps): ReactElement {
  const isOn = user.disabled_at !== null;
  const change = useSwitchUser();
  return (
    <FormDialog
      title={`${isOn ? "Enable" : "Disable"} ${user.name}`}
      confirm={isOn ? "Enable user" : "Disable user"}
      isDangerous={!isOn}
      isBusy={change.isPending}
      error={change.error}
      onClose={onClose}
      onConfirm={() => change.mutate({ id: user.id, isOn }, { onSuccess: onClose })}
    >
      <p>
        {isOn
          ? `${user.email} can sign in again with the password it had.`
          : `${user.email} is signed out and cannot sign in. Keys it made go on; revoke them on the page of keys.`}
      </p>
    </FormDialog>
  );
}

type ChangeUserProps = ChangeProps & { readonly action: UserAction; readonly onMade: (made: MadeUser) => void };

export function ChangeUserDialog({ action, user, onClose, onMade }: ChangeUserProps): ReactElement {
  if (action === "role") return <RoleDialog user={user} onClose={onClose} />;
  if (action === "password") return <PasswordDialog user={user} onClose={onClose} onMade={onMade} />;
  return <SwitchDialog user={user} onClose={onClose} />;
}
