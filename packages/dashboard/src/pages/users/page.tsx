import { useMemo, useState, type ReactElement } from "react";
import { useUsers, type MadeUser, type User } from "../../api/users.ts";
import { useSession } from "../../app/session-context.ts";
import { showFigure } from "../../read/show-figure.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { FirstPasswordDialog } from "../../ui/first-password-dialog.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { AddUserDialog } from "./add-user-dialog.tsx";
import { ChangeUserDialog, type UserAction } from "./change-user-dialog.tsx";
import { userColumns } from "./user-columns.tsx";

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
        about="Who signs in here. A member makes keys of its own, an owner manages the account."
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
