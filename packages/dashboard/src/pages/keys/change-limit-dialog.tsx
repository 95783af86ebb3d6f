import type { ReactElement } from "react";
import { useSetKeyLimit, type ApiKey } from "../../api/keys.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { LIMIT_FIELDS, limitProblem, toKeyLimit, type TypedLimit } from "./key-limit.ts";

interface ChangeLimitProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

export function ChangeLimitDialog({ apiKey, onClose }: ChangeLimitProps): ReactElement {
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
        What <span className="font-mono">{prefix}…</span> may ask by itself, within what all keys and users of the
        account may ask together. It holds within a second.
      </p>
    </FormDialog>
  );
}
