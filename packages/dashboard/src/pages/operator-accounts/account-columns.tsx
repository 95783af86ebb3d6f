import type { ReactElement } from "react";
import { Link } from "react-router";
import type { Account } from "../../api/accounts.ts";
import { showFigure } from "../../read/exact-figures.ts";
import { timestampColumn } from "../../read/columns.tsx";
import { Badge } from "../../ui/indicators.tsx";
import { Button } from "../../ui/button.tsx";
import type { TableColumn } from "../../ui/table-column.ts";
import { TEXT_LINK } from "../../ui/text-link.ts";

export type AccountAction = "plan" | "switch";

const REPORTED: readonly TableColumn<Account>[] = [
  {
    id: "name",
    header: "Name",
    isRowHeader: true,
    sortValue: (account) => account.name,
    cell: (account) => (
      <span className="block min-w-36">
        <span className="block font-medium break-words">{account.name}</span>
        <span className="text-xs break-all text-ink-faint">{account.email}</span>
      </span>
    ),
  },
  { id: "plan", header: "Plan", sortValue: (account) => account.plan, cell: (account) => account.plan },
  {
    id: "state",
    header: "State",
    cell: (account) =>
      account.disabled_at === null ? <Badge tone="good">active</Badge> : <Badge tone="bad">disabled</Badge>,
  },
  {
    id: "users",
    header: "Users",
    align: "right",
    sortValue: (account) => account.users,
    cell: (account) => account.users,
  },
  {
    id: "keys",
    header: "Keys",
    align: "right",
    sortValue: (account) => account.keys,
    cell: (account) => account.keys,
  },
  timestampColumn("created_at", "Created"),
];

interface ActionsProps {
  readonly account: Account;
  readonly isOwn: boolean;
  readonly act: (action: AccountAction) => void;
}

function Actions({ account, isOwn, act }: ActionsProps): ReactElement {
  const verb = account.disabled_at === null ? "Disable" : "Enable";
  return (
    <span className="flex justify-end gap-1">
      <Button tone="quiet" isSmall onClick={() => act("plan")} aria-label={`Change the plan of ${account.name}`}>
        Plan
      </Button>
      {isOwn ? null : (
        <Button tone="quiet" isSmall onClick={() => act("switch")} aria-label={`${verb} ${account.name}`}>
          {verb}
        </Button>
      )}
    </span>
  );
}

/** An account without any request may be missing from the known figures. */
const requestsIn = (requestsOf: ReadonlyMap<string, number> | undefined, { id }: Account): number | null =>
  requestsOf === undefined ? null : (requestsOf.get(id) ?? 0);

export function accountColumns(
  ownId: string,
  /** undefined: not known. */
  requestsOf: ReadonlyMap<string, number> | undefined,
  act: (action: AccountAction, account: Account) => void,
): TableColumn<Account>[] {
  return [
    ...REPORTED,
    {
      id: "requests",
      header: "Requests",
      about: "In the last 30 days",
      align: "right",
      sortValue: (account) => requestsIn(requestsOf, account),
      cell: (account) => (
        <Link to={`/usage?account=${encodeURIComponent(account.id)}`} className={TEXT_LINK}>
          {showFigure(requestsIn(requestsOf, account))}
        </Link>
      ),
    },
    {
      id: "actions",
      header: "Actions",
      isHeaderHidden: true,
      align: "right",
      cell: (account) => (
        <Actions account={account} isOwn={account.id === ownId} act={(action) => act(action, account)} />
      ),
    },
  ];
}
