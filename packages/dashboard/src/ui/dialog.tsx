import { useId, useLayoutEffect, useRef, type ReactElement, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { PageHold } from "./page-hold.ts";

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** The content must be read first: neither Escape, a click outside nor Back closes it. */
  readonly isSticky?: boolean;
}

/** A modal on <dialog>: the browser traps the focus and restores it. */
export function Dialog({ title, isOpen, onClose, children, isSticky = false }: DialogProps): ReactElement | null {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  // Closed before it leaves the document, else the focus would not return to where it was.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog === null || !isOpen) return;
    dialog.showModal();
    return () => dialog.close();
  }, [isOpen]);
  if (!isOpen) return null;
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      closedby={isSticky ? "none" : "any"}
      onCancel={(event) => {
        if (isSticky) event.preventDefault();
      }}
      onClose={() => {
        // In strict mode the dialog is closed and shown again before this event fires.
        if (element.current?.open === false) onClose();
      }}
      className="m-auto w-[min(34rem,calc(100vw-2rem))] max-h-[calc(100dvh-2rem)] overflow-auto rounded-2xl border border-line bg-surface p-0 text-ink shadow-card max-sm:mb-4"
    >
      {isSticky ? <PageHold /> : null}
      <div className="p-6">
        <div className="mb-4 flex items-start justify-between gap-4">
          <h2 id={id} className="font-serif text-xl leading-snug">
            {title}
          </h2>
          {isSticky ? null : (
            <Button tone="quiet" isSmall icon="cross" onClick={onClose} aria-label="Close" className="-mt-1 -mr-2" />
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}
