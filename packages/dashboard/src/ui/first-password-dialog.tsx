import type { ReactElement } from "react";
import { OnceDialog } from "./once-dialog.tsx";

interface FirstPasswordProps {
  readonly email: string;
  readonly password: string;
  readonly onClose: () => void;
}

/** Shows a generated password, once only. */
export function FirstPasswordDialog({ email, password, onClose }: FirstPasswordProps): ReactElement {
  return (
    <OnceDialog
      title={`First password of ${email}`}
      warning="Copy it now and send it over a trusted channel. It is shown only once, and must be changed at the first sign-in."
      secret={password}
      label="password"
      onClose={onClose}
    />
  );
}
