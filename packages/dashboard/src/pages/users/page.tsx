import { useMemo, useState, type ReactElement } from "react";
import { useUsers, type MadeUser, type User, useCreateUser } from "../../api/users.ts";
import { useSession } from "../../app/session-context.ts";
import { showFigure } from "../../read/exact-figures.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { FirstPasswordDialog } from "../../ui/once-dialog.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { ChangeUserDialog, type UserAction, roleChoices } from "./change-user-dialog.tsx";
import { userColumns } from "./user-columns.tsx";
import { problemOf } from "../../api/console-problem.ts";
import type { Role } from "../../api/session-user.ts";
import { AccountSelect } from "../../app/account-select.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

interface AddUserProps {
  readonly onClose: () => void;
  readonly onMade: (made: MadeUser) => void;
}

function AddUserDialog({ onClose, onMade }: AddUserProps): ReactElement {
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
          help: "They sign in with it. A first password is created and shown to you once.",
        },
        { name: "role", label: "Role", initial: "member", choices: roleChoices(me.role) },
      ]}
    >
      <AccountSelect value={account} onChange={setAccount} error={problemOf(create.error)?.of("account")} />
    </FormDialog>
  );
}

type Open = { readonly action: "add" } | { readonly action: UserAction; readonly user: User };

export default function UsersPage(): ReactElement {
  const me = useSession();
  const users = useUsers();
  const rows = useMemo(() => users.data?.pages.flatMap((page) => page.users), [users.data]);
  const [open, setOpen] = useState<Open>();
  const [made, setMade] = useState<MadeUser>();
  const close = (): void => setOpen(undefined);
  const columns = useMemo(() => userColumns(me, (action, user) => setOpen({ action, user })), [me]);
  const onMade = (next: MadeUser): void => {
    close();
    setMade(next);
  };
  return (
    <>
      <PageHeader
        title="Users"
        about="People who sign in here. A member creates keys, an owner manages the account."
        actions={
          <Button tone="primary" icon="plus" onClick={() => setOpen({ action: "add" })}>
            Add user
          </Button>
        }
      />
      {users.isError ? <ErrorNote error={users.error} onRetry={() => void users.refetch()} /> : null}
      {users.isPending ? <Spinner label="Loading users" /> : null}
      {rows === undefined ? null : (
        <Card isFlush>
          <DataTable isCardsWhenNarrow caption="Users" rows={rows} columns={columns} rowKey={(user) => user.id} />
        </Card>
      )}
      <MoreButton list={users} label="Show more" note={`The oldest ${showFigure(rows?.length)} are shown.`} />
      {open?.action === "add" ? <AddUserDialog onClose={close} onMade={onMade} /> : null}
      {open === undefined || open.action === "add" ? null : (
        <ChangeUserDialog action={open.action} user={open.user} onClose={close} onMade={onMade} />
      )}
      {made === undefined ? null : (
        <FirstPasswordDialog email={made.user.email} password={made.password} onClose={() => setMade(undefined)} />
      )}
    </>
  );
}
