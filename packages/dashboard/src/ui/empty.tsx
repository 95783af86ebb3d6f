import type { ReactElement, ReactNode } from "react";

/** An empty state: why there is nothing, and what the user can do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactElement {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-10 text-center">
      <p className="font-serif text-lg text-ink">{title}</p>
      {children === undefined ? null : <div className="max-w-md text-sm text-ink-faint">{children}</div>}
    </div>
  );
}
