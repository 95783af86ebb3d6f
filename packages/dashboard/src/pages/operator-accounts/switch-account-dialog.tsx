import type { ReactElement } from "react";
import { useSwitchAccount, type Account } from "../../api/accounts.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";

interface SwitchAccountProps {
  readonly account: Account;
  readonly onClose: () => void;
}

export function SwitchAccountDialog({ account, onClose }: SwitchAccountProps): ReactElement {
  const isOn = account.disabled_at !== null;
  const change = useSwitchAccount();
  return (
    <FormDialog
      title={`${isOn ? "Enable" : "Disable"} ${account.name}`}
      confirm={isOn ? "Enable account" : "Disable account"}
      isDangerous={!isOn}
      isBusy={change.isPending}
      error={change.error}
      onClose={onClose}
      onConfirm={() => change.mutate({ id: account.id, isOn }, { onSuccess: onClose })}
    >
      <p>
        {isOn
          ? "Its keys and users work again at once."
          : "Its keys are refused within a second and its users are signed out. Nothing is deleted; it can be enabled again."}
      </p>
    </FormDialog>
  );
}
