import type { ReactElement } from "react";

export function Spinner({ label = "Loading" }: { readonly label?: string }): ReactElement {
  return (
    <div role="status" className="flex items-center justify-center gap-3 py-10 text-sm text-ink-faint">
      <span
        aria-hidden="true"
        className="size-4 animate-spin rounded-full border-2 border-line-strong border-t-transparent"
      />
      {label}…
    </div>
  );
}
