import type { ReactElement, ReactNode } from "react";

interface FormerProps {
  /** The content belongs to the previous query. */
  readonly isFormer: boolean;
  readonly children: ReactNode;
}

/** Content that may belong to the previous query: dimmed and marked busy until the next response arrives. */
export function Former({ isFormer, children }: FormerProps): ReactElement {
  return (
    <div aria-busy={isFormer} className={`min-w-0 ${isFormer ? "opacity-60" : ""}`}>
      {children}
    </div>
  );
}
