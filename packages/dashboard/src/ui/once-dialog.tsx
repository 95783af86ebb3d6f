import type { ReactElement, ReactNode } from "react";
import { Button } from "./button.tsx";
import { CopyText } from "./copy-text.tsx";
import { Dialog } from "./dialog.tsx";

interface OnceProps {
  readonly title: string;
  /** What becomes of it, and that it is not shown again. */
  readonly warning: string;
  readonly secret: string;
  /** What the secret is called on its button. */
  readonly label: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** The one time a secret is seen: it stays through Escape until its reader says that it is kept. */
export function OnceDialog({ title, warning, secret, label, onClose, children }: OnceProps): ReactElement {
  return (
    <Dialog title={title} isOpen onClose={onClose} isSticky>
      <div className="flex flex-col gap-4">
        <p className="rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn">{warning}</p>
        <CopyText text={secret} label={label} isBlock />
        {children}
        <div className="flex justify-end">
          <Button tone="primary" onClick={onClose}>
            I have kept it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
