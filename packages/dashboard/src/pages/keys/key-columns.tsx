import type { ReactElement } from "react";
import type { ApiKey } from "../../api/keys.ts";
import type { SessionUser } from "../../api/session-user.ts";
import { timestampColumn } from "../../read/columns.tsx";
import { Badge, type BadgeTone } from "../../ui/indicators.tsx";
import { Button } from "../../ui/button.tsx";
import type { TableColumn } from "../../ui/table-column.ts";
import { showKeyLimit } from "./key-form.ts";
import { mayChangeKey } from "./key-rights.ts";

export type KeyAction = "rotate" | "rename" | "mode" | "limit" | "revoke";

const TONES: Readonly<Record<ApiKey["state"], BadgeTone>> = { active: "good", expired: "quiet", revoked: "bad" };

function State({ apiKey }: { readonly apiKey: ApiKey }): ReactElement {
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={TONES[apiKey.state]}>{apiKey.state}</Badge>
      {apiKey.replaced_by !== null && apiKey.state === "active" ? <Badge tone="warn">being replaced</Badge> : null}
    </span>
  );
}

function Actions({ apiKey, act }: { apiKey: ApiKey; act: (action: KeyAction) => void }): ReactElement {
  const isActive = apiKey.state === "active";
  return (
    <span className="flex min-w-36 flex-wrap justify-end gap-x-1">
      {isActive && apiKey.replaced_by === null ? (
        <Button tone="quiet" isSmall onClick={() => act("rotate")} aria-label={`Rotate ${apiKey.name}`}>
          Rotate
        </Button>
      ) : null}
      <Button tone="quiet" isSmall onClick={() => act("rename")} aria-label={`Rename ${apiKey.name}`}>
        Rename
      </Button>
      {apiKey.state === "revoked" ? null : (
        <>
          <Button tone="quiet" isSmall onClick={() => act("mode")} aria-label={`Change the mode of ${apiKey.name}`}>
            Mode
          </Button>
          <Button tone="quiet" isSmall onClick={() => act("limit")} aria-label={`Change the limit of ${apiKey.name}`}>
            Limit
          </Button>
          <Button tone="quiet" isSmall onClick={() => act("revoke")} aria-label={`Revoke ${apiKey.name}`}>
            Revoke
          </Button>
        </>
      )}
    </span>
  );
}

const ACCOUNT: TableColumn<ApiKey> = {
  id: "account",
  header: "Account",
  sortValue: (key) => key.account_name,
  cell: (key) => key.account_name,
};

const MODE: TableColumn<ApiKey> = {
  id: "mode",
  header: "Mode",
  sortValue: (key) => key.mode,
  cell: (key) => (key.mode === "compatible" ? <Badge tone="accent">compatible</Badge> : key.mode),
};

const LIMIT: TableColumn<ApiKey> = {
  id: "limit",
  header: "Limit",
  cell: (key) => showKeyLimit(key),
};

export function keyColumns(user: SessionUser, act: (action: KeyAction, key: ApiKey) => void): TableColumn<ApiKey>[] {
  return [
    {
      id: "name",
      header: "Name",
      isRowHeader: true,
      sortValue: (key) => key.name,
      cell: (key) => (
        <span className="block min-w-28">
          <span className="block font-medium break-words">{key.name}</span>
          <span className="font-mono text-xs text-ink-faint">{key.prefix}…</span>
        </span>
      ),
    },
    ...(user.role === "operator" ? [ACCOUNT] : []),
    { id: "state", header: "State", sortValue: (key) => key.state, cell: (key) => <State apiKey={key} /> },
    MODE,
    LIMIT,
    {
      id: "datasets",
      header: "Datasets",
      cell: (key) =>
        key.datasets === null ? "all of the plan" : <span title={key.datasets.join(", ")}>{key.datasets.length}</span>,
    },
    timestampColumn("last_used_at", "Last used", "never"),
    timestampColumn("expires_at", "Expires", "never"),
    timestampColumn("created_at", "Created"),
    {
      id: "actions",
      header: "Actions",
      isHeaderHidden: true,
      align: "right",
      cell: (key) =>
        mayChangeKey(user, key) ? (
          <Actions apiKey={key} act={(action) => act(action, key)} />
        ) : (
          `created by ${key.created_by_name ?? "an operator"}`
        ),
    },
  ];
}
