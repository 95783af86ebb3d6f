import { useState, type ReactElement } from "react";
import { problemOf } from "../../api/problem-of.ts";
import { useRenameKey, type ApiKey } from "../../api/keys.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextInput } from "../../ui/text-input.tsx";

export function RenameKeyDialog({
  apiKey,
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}): ReactElement {
  const [name, setName] = useState(apiKey.name);
  const rename = useRenameKey();
  const problem = problemOf(rename.error)?.of("name");
  return (
    <FormDialog
      title={`Rename “${apiKey.name}”`}
      confirm="Rename"
      isBusy={rename.isPending}
      error={problem === undefined ? rename.error : null}
      onClose={onClose}
      onConfirm={() => rename.mutate({ id: apiKey.id, name: name.trim() }, { onSuccess: onClose })}
    >
      <TextInput label="Name" required maxLength={200} value={name} onChange={setName} error={problem} />
    </FormDialog>
  );
}
