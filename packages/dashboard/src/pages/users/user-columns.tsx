import type { ReactElement } from "react";
import type { SessionUser } from "../../api/session-user.ts";
import type { User } from "../../api/users.ts";
import { timestampColumn } from "../../read/columns.tsx";
import { Badge } from "../../ui/indicators.tsx";
import { Button } from "../../ui/button.tsx";
import type { TableColumn } from "../../ui/table-column.ts";
import type { UserAction } from "./change-user-dialog.tsx";

function Actions({ user, act }: { readonly user: User; readonly act: (action: UserAction) => void }): ReactElement {
  const isOff = user.disabled_at !== null;
  return (
    <span className="flex justify-end gap-1">
      <Button tone="quiet" isSmall onClick={() => act("role")} aria-label={`Change the role of ${user.name}`}>
        Role
      </Button>
      <Button
        tone="quiet"
        isSmall
        onClick={() => act("password")}
        aria-label={`Create a new password for ${user.name}`}
      >
        Password
      </Button>
      <Button
        tone="quiet"
        isSmall
        onClick={() => act("switch")}
        aria-label={`${isOff ? "Enable" : "Disable"} ${user.name}`}
      >
        {isOff ? "Enable" : "Disable"}
      </Button>
    </span>
  );
}

function State({ user }: { readonly user: User }): ReactElement {
  if (user.disabled_at !== null) return <Badge tone="bad">disabled</Badge>;
  return user.must_change_password ? <Badge tone="warn">first password</Badge> : <Badge tone="good">active</Badge>;
}

const ACCOUNT: TableColumn<User> = {
  id: "account",
  header: "Account",
  sortValue: (user) => user.account_name,
  cell: (user) => user.account_name,
};

export function userColumns(me: SessionUser, act: (action: UserAction, user: User) => void): TableColumn<User>[] {
  return [
    {
      id: "name",
      header: "Name",
      isRowHeader: true,
      sortValue: (user) => user.name,
      cell: (user) => (
        <span className="block min-w-36">
          <span className="block font-medium break-words">{user.name}</span>
          <span className="text-xs break-all text-ink-faint">{user.email}</span>
        </span>
      ),
    },
    ...(me.role === "operator" ? [ACCOUNT] : []),
    { id: "role", header: "Role", sortValue: (user) => user.role, cell: (user) => user.role },
    { id: "state", header: "State", cell: (user) => <State user={user} /> },
    timestampColumn("last_sign_in_at", "Last sign-in", "never"),
    timestampColumn("created_at", "Added"),
    {
      id: "actions",
      header: "Actions",
      isHeaderHidden: true,
      align: "right",
      cell: (user) => (user.id === me.id ? "you" : <Actions user={user} act={(action) => act(action, user)} />),
    },
  ];
}
