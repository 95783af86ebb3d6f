import type { ReactElement } from "react";
import { useRenameKey, useRevokeKey, useRotateKey, type ApiKey, type MadeKey } from "../../api/keys.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { ChangeLimitDialog } from "./change-limit-dialog.tsx";
import { ChangeModeDialog } from "./change-mode-dialog.tsx";
import type { KeyAction } from "./key-columns.tsx";

const OVERLAPS = [
  { value: "0", label: "None: the old key ends now" },
  { value: "3600", label: "An hour" },
  { value: "86400", label: "A day" },
  { value: "604800", label: "A week" },
  { value: "2592000", label: "30 days" },
];

interface ChangeKeyProps {
  readonly action: KeyAction;
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onMade: (made: MadeKey) => void;
}

export function ChangeKeyDialog({ action, apiKey, onClose, onMade }: ChangeKeyProps): ReactElement {
  const [rename, revoke, rotate] = [useRenameKey(), useRevokeKey(), useRotateKey()];
  const { id, name, prefix } = apiKey;
  if (action === "rename") {
    return (
      <FormDialog
        title={`Rename “${name}”`}
        confirm="Rename"
        change={rename}
        onClose={onClose}
        onConfirm={(to) => rename.mutate({ id, name: to.name.trim() }, { onSuccess: onClose })}
        fields={[{ name: "name", label: "Name", initial: name, required: true, maxLength: 200 }]}
      />
    );
  }
  if (action === "mode") return <ChangeModeDialog apiKey={apiKey} onClose={onClose} />;
  if (action === "limit") return <ChangeLimitDialog apiKey={apiKey} onClose={onClose} />;
  if (action === "revoke") {
    return (
      <FormDialog
        title={`Revoke “${name}”`}
        confirm="Revoke key"
        isDangerous
        change={revoke}
        onClose={onClose}
        onConfirm={() => revoke.mutate({ id }, { onSuccess: onClose })}
      >
        <p>
          Programs that use <span className="font-mono">{prefix}…</span> are refused within a second. This cannot be
          taken back.
        </p>
      </FormDialog>
    );
  }
  return (
    <FormDialog
      title={`Rotate “${name}”`}
      confirm="Make the new key"
      change={rotate}
      onClose={onClose}
      onConfirm={(to) => rotate.mutate({ id, overlap_seconds: Number(to.overlap_seconds) }, { onSuccess: onMade })}
      fields={[{ name: "overlap_seconds", label: "Both work for", initial: "86400", choices: OVERLAPS }]}
    >
      <p>
        A new key with the same name, datasets, mode, limit and expiry is made. Both work for the overlap, then the old
        one ends.
      </p>
    </FormDialog>
  );
}
