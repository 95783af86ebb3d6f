import { useMemo, useState, type ReactElement } from "react";
import { useKeys, type ApiKey, type MadeKey } from "../../api/keys.ts";
import { useSession } from "../../app/session-context.ts";
import { showFigure } from "../../read/exact-figures.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Empty, ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { ChangeKeyDialog } from "./change-key-dialog.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { keyColumns, type KeyAction } from "./key-columns.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { OnceDialog } from "../../ui/once-dialog.tsx";
import { toFirstCurl } from "./to-first-curl.ts";
import { useReadableDatasets } from "./key-rights.ts";

/** Shows the secret, once only. */
function SecretDialog({ made, onClose }: { readonly made: MadeKey; readonly onClose: () => void }): ReactElement {
  const { key, summary } = made;
  const { datasets = [] } = useReadableDatasets(summary.account_id);
  const curl = toFirstCurl(window.location.origin, key, summary.datasets, datasets);
  return (
    <OnceDialog
      title={`Key “${summary.name}” created`}
      warning="Copy it now and store it as a secret. It is shown only once: only its digest is stored. Replace a lost key with a new one."
      secret={key}
      label="key"
      onClose={onClose}
    >
      {curl === undefined ? null : (
        <div>
          <h3 className="mb-1 text-[13px] font-medium text-ink-soft">Try it</h3>
          <CopyText text={curl} label="command" isBlock />
        </div>
      )}
    </OnceDialog>
  );
}

type Open = { readonly action: "create" } | { readonly action: KeyAction; readonly key: ApiKey };

export default function KeysPage(): ReactElement {
  const user = useSession();
  const keys = useKeys();
  const rows = useMemo(() => keys.data?.pages.flatMap((page) => page.keys), [keys.data]);
  const [open, setOpen] = useState<Open>();
  const [made, setMade] = useState<MadeKey>();
  const close = (): void => setOpen(undefined);
  const columns = useMemo(() => keyColumns(user, (action, key) => setOpen({ action, key })), [user]);
  const onMade = (next: MadeKey): void => {
    close();
    setMade(next);
  };
  const create = (
    <Button tone="primary" icon="plus" onClick={() => setOpen({ action: "create" })}>
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Keys"
        about="A key lets a program send requests as your account. Give each program its own: all share the account's limits."
        actions={create}
      />
      {keys.isError ? <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} /> : null}
      {keys.isPending ? <Spinner label="Loading keys" /> : null}
      {rows === undefined ? null : (
        <Card isFlush>
          <DataTable
            isCardsWhenNarrow
            caption="API keys"
            rows={rows}
            columns={columns}
            rowKey={(key) => key.id}
            initialSort={{ id: "created_at", isDescending: true }}
            empty={
              <Empty title="No key yet">
                <p className="mb-4">Create one, and send the first request with the command shown with it.</p>
                {create}
              </Empty>
            }
          />
        </Card>
      )}
      <MoreButton list={keys} label="Show more" note={`The oldest ${showFigure(rows?.length)} are shown.`} />
      {open?.action === "create" ? <CreateKeyDialog onClose={close} onMade={onMade} /> : null}
      {open === undefined || open.action === "create" ? null : (
        <ChangeKeyDialog action={open.action} apiKey={open.key} onClose={close} onMade={onMade} />
      )}
      {made === undefined ? null : <SecretDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}
