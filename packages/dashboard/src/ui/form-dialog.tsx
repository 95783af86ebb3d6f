import type { ReactElement, ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorNote } from "./error-note.tsx";

interface FormDialogProps {
  readonly title: string;
  /** The button's word: what will happen, not "OK". */
  readonly confirm: string;
  readonly isDangerous?: boolean;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly children: ReactNode;
}

/** A small form or a question before something is changed; shows why it could not be. */
export function FormDialog(props: FormDialogProps): ReactElement {
  const { title, confirm, isDangerous = false, isBusy, error, onClose, onConfirm, children } = props;
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form
        className="flex flex-col gap-4 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        {children}
        {error === null ? null : <ErrorNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone={isDangerous ? "danger" : "primary"} isBusy={isBusy}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
