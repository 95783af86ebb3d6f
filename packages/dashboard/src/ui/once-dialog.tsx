import type { ReactElement, ReactNode } from "react";
import { Button } from "./button.tsx";
import { CopyText } from "./copy-text.tsx";
import { Dialog } from "./dialog.tsx";

interface OnceProps {
  readonly title: string;
  /** What the secret is for, and that it is not shown again. */
  readonly warning: string;
  readonly secret: string;
  /** Name of the secret on its button. */
  readonly label: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Shows a secret, once only: Escape does not close it until the user confirms that it is saved. */
export function OnceDialog({ title, warning, secret, label, onClose, children }: OnceProps): ReactElement {
  return (
    <Dialog title={title} isOpen onClose={onClose} isSticky>
      <div className="flex flex-col gap-4">
        <p className="rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn">{warning}</p>
        <CopyText text={secret} label={label} isBlock />
        {children}
        <div className="flex justify-end">
          <Button tone="primary" onClick={onClose}>
            I have saved it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

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
