import type { ReactElement } from "react";
import {
  useRenameKey,
  useRevokeKey,
  useRotateKey,
  type ApiKey,
  type MadeKey,
  useSetKeyLimit,
  useSetKeyMode,
} from "../../api/keys.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { KeyAction } from "./key-columns.tsx";
import {
  LIMIT_FIELDS,
  limitProblem,
  toKeyLimit,
  type TypedLimit,
  KEY_MODE_CHOICES,
  keyModeHelp,
  toKeyMode,
} from "./key-form.ts";

interface ChangeModeProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

function ChangeModeDialog({ apiKey: { id, name, prefix, mode }, onClose }: ChangeModeProps): ReactElement {
  const change = useSetKeyMode();
  return (
    <FormDialog
      title={`The mode of “${name}”`}
      confirm="Change mode"
      change={change}
      onClose={onClose}
      onConfirm={(to) => change.mutate({ id, mode: toKeyMode(to.mode) }, { onSuccess: onClose })}
      fields={[{ name: "mode", label: "Mode", initial: mode, choices: KEY_MODE_CHOICES, help: keyModeHelp }]}
    >
      <p>
        It applies within a second to every program that uses <span className="font-mono">{prefix}…</span>.
      </p>
    </FormDialog>
  );
}

interface ChangeLimitProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

function ChangeLimitDialog({ apiKey, onClose }: ChangeLimitProps): ReactElement {
  const change = useSetKeyLimit();
  const { id, name, prefix } = apiKey;
  return (
    <FormDialog<keyof TypedLimit>
      title={`The limit of “${name}”`}
      confirm="Change limit"
      change={change}
      onClose={onClose}
      onConfirm={(typed) => change.mutate({ id, ...toKeyLimit(typed) }, { onSuccess: onClose })}
      fields={LIMIT_FIELDS.map(({ name: field, label, help }) => ({
        name: field,
        label,
        help,
        initial: String(apiKey[field] ?? ""),
        inputMode: "numeric" as const,
        check: (_, typed) => limitProblem(field, typed),
      }))}
    >
      <p>
        Limits the requests of <span className="font-mono">{prefix}…</span>, within the limits that all keys and users
        of the account share. It applies within a second.
      </p>
    </FormDialog>
  );
}

const OVERLAPS = [
  { value: "0", label: "None: the old key expires now" },
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
          undone.
        </p>
      </FormDialog>
    );
  }
  return (
    <FormDialog
      title={`Rotate “${name}”`}
      confirm="Create the new key"
      change={rotate}
      onClose={onClose}
      onConfirm={(to) => rotate.mutate({ id, overlap_seconds: Number(to.overlap_seconds) }, { onSuccess: onMade })}
      fields={[{ name: "overlap_seconds", label: "Both work for", initial: "86400", choices: OVERLAPS }]}
    >
      <p>
        A new key with the same name, datasets, mode, limit and expiry is created. Both work during the overlap, then
        the old one expires.
      </p>
    </FormDialog>
  );
}
