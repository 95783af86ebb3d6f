import type { ReactElement } from "react";
import { Button } from "./button.tsx";
import { CopyText } from "./copy-text.tsx";
import { Dialog } from "./dialog.tsx";

interface FirstPasswordProps {
  readonly email: string;
  readonly password: string;
  readonly onClose: () => void;
}

/** The one time a made password is seen. */
export function FirstPasswordDialog({ email, password, onClose }: FirstPasswordProps): ReactElement {
  return (
    <Dialog title={`First password of ${email}`} isOpen onClose={onClose} isSticky>
      <div className="flex flex-col gap-4">
        <p className="rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn">
          Copy it now and hand it over by a way you trust. It is shown this once, and must be changed at the first
          sign-in.
        </p>
        <CopyText text={password} label="password" isBlock />
        <div className="flex justify-end">
          <Button tone="primary" onClick={onClose}>
            I have kept it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
