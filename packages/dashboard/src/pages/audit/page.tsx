import { useMemo, type ReactElement } from "react";
import { useAudit, type AuditEntry } from "../../api/audit.ts";
import { BriefTimestamp } from "../../read/values.tsx";
import { Card } from "../../ui/card.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Empty, ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { TableColumn } from "../../ui/table-column.ts";
import { toDetailText } from "./to-detail-text.ts";

const COLUMNS: readonly TableColumn<AuditEntry>[] = [
  { id: "at", header: "Time", sortValue: (entry) => entry.id, cell: (entry) => <BriefTimestamp at={entry.at} /> },
  {
    id: "action",
    header: "Action",
    isRowHeader: true,
    sortValue: (entry) => entry.action,
    cell: (entry) => <span className="font-medium whitespace-nowrap">{entry.action.replaceAll(/[._]/g, " ")}</span>,
  },
  { id: "actor", header: "Actor", sortValue: (entry) => entry.actor, cell: (entry) => entry.actor },
  {
    id: "subject",
    header: "Target",
    sortValue: (entry) => entry.subject,
    cell: (entry) => <span className="block min-w-44 font-mono text-xs break-all">{entry.subject}</span>,
  },
  {
    id: "detail",
    header: "Details",
    cell: (entry) => (
      <span className="block min-w-56 text-[13px] break-words text-ink-soft">{toDetailText(entry.detail)}</span>
    ),
  },
];

export default function AuditPage(): ReactElement {
  const audit = useAudit();
  const entries = useMemo(() => audit.data?.pages.flatMap((page) => page.entries) ?? [], [audit.data]);
  return (
    <>
      <PageHeader title="Audit" about="Every change to accounts, users, keys and plans, newest first." />
      {audit.isError ? <ErrorNote error={audit.error} onRetry={() => void audit.refetch()} /> : null}
      {audit.isPending ? <Spinner label="Loading the audit trail" /> : null}
      {audit.data === undefined ? null : (
        <Card isFlush>
          <DataTable
            caption="Audit trail"
            rows={entries}
            columns={COLUMNS}
            rowKey={(entry) => String(entry.id)}
            maxHeightPx={640}
            empty={<Empty title="No changes yet" />}
          />
        </Card>
      )}
      <MoreButton list={audit} />
    </>
  );
}
