import type { ReactElement } from "react";
import { useSetKeyMode, type ApiKey } from "../../api/keys.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { KEY_MODE_CHOICES, keyModeHelp, toKeyMode } from "./key-modes.ts";

interface ChangeModeProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

export function ChangeModeDialog({ apiKey: { id, name, prefix, mode }, onClose }: ChangeModeProps): ReactElement {
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
        It holds within a second for every program that uses <span className="font-mono">{prefix}…</span>.
      </p>
    </FormDialog>
  );
}
