import { useMemo, useState, type ReactElement } from "react";
import { useAccounts, useAccountsUsage, type Account, type MadeAccount } from "../../api/accounts.ts";
import { useSession } from "../../app/session-context.ts";
import { showFigure } from "../../read/exact-figures.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Empty, ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { FirstPasswordDialog } from "../../ui/once-dialog.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { accountColumns, type AccountAction } from "./account-columns.tsx";
import { ChangeAccountDialog, CreateAccountDialog } from "./account-dialogs.tsx";

type Open = { readonly action: "create" } | { readonly action: AccountAction; readonly account: Account };

export default function OperatorAccountsPage(): ReactElement {
  const me = useSession();
  const accounts = useAccounts();
  const rows = useMemo(() => accounts.data?.pages.flatMap((page) => page.accounts), [accounts.data]);
  const [open, setOpen] = useState<Open>();
  const [made, setMade] = useState<MadeAccount>();
  const close = (): void => setOpen(undefined);
  const used = useAccountsUsage();
  const columns = useMemo(() => {
    const requestsOf = used.data && new Map(used.data.accounts.map((one) => [one.account_id, one.requests_30d]));
    return accountColumns(me.account.id, requestsOf, (action, account) => setOpen({ action, account }));
  }, [me.account.id, used.data]);
  return (
    <>
      <PageHeader
        title="Accounts"
        about="Each account has users, keys and a plan. There is no sign-up: you create them."
        actions={
          <Button tone="primary" icon="plus" onClick={() => setOpen({ action: "create" })}>
            Create account
          </Button>
        }
      />
      {accounts.isError ? <ErrorNote error={accounts.error} onRetry={() => void accounts.refetch()} /> : null}
      {used.isError ? <ErrorNote error={used.error} onRetry={() => void used.refetch()} /> : null}
      {accounts.isPending ? <Spinner label="Loading accounts" /> : null}
      {rows === undefined ? null : (
        <Card isFlush>
          <DataTable
            isCardsWhenNarrow
            caption="Accounts"
            rows={rows}
            columns={columns}
            rowKey={(account) => account.id}
            maxHeightPx={640}
            empty={<Empty title="No account yet" />}
          />
        </Card>
      )}
      <MoreButton list={accounts} label="Show more" note={`The oldest ${showFigure(rows?.length)} are shown.`} />
      {open?.action === "create" ? (
        <CreateAccountDialog
          onClose={close}
          onMade={(next) => {
            close();
            setMade(next);
          }}
        />
      ) : null}
      {open === undefined || open.action === "create" ? null : (
        <ChangeAccountDialog action={open.action} account={open.account} onClose={close} />
      )}
      {made === undefined ? null : (
        <FirstPasswordDialog email={made.user.email} password={made.password} onClose={() => setMade(undefined)} />
      )}
    </>
  );
}
