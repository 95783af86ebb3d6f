import type { ReactElement } from "react";
import { Button } from "../../ui/button.tsx";

interface FormActionsProps {
  readonly isAsking: boolean;
  readonly onCancel: () => void;
  readonly onClear: () => void;
}

/** Stays in sight while a long form scrolls. */
export function FormActions({ isAsking, onCancel, onClear }: FormActionsProps): ReactElement {
  return (
    <div className="sticky bottom-0 flex gap-2 rounded-b-xl border-t border-line bg-surface px-5 py-3 max-md:bottom-16">
      <Button type="submit" tone="primary" className="flex-1">
        Run
      </Button>
      {isAsking ? <Button onClick={onCancel}>Cancel</Button> : null}
      <Button tone="quiet" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
