import type { ReactElement } from "react";
import { useRevokeKey, type ApiKey } from "../../api/keys.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";

export function RevokeKeyDialog({
  apiKey,
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}): ReactElement {
  const revoke = useRevokeKey();
  return (
    <FormDialog
      title={`Revoke “${apiKey.name}”`}
      confirm="Revoke key"
      isDangerous
      isBusy={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onConfirm={() => revoke.mutate({ id: apiKey.id }, { onSuccess: onClose })}
    >
      <p>
        Programs that use <span className="font-mono">{apiKey.prefix}…</span> are refused within a second. This cannot
        be taken back.
      </p>
    </FormDialog>
  );
}
