import type { ReactElement, ReactNode } from "react";

interface FormerProps {
  /** It is the answer to the question before. */
  readonly isFormer: boolean;
  readonly children: ReactNode;
}

/** An answer that may be a former one, which is seen and told until the next is there. */
export function Former({ isFormer, children }: FormerProps): ReactElement {
  return (
    <div aria-busy={isFormer} className={`min-w-0 ${isFormer ? "opacity-60" : ""}`}>
      {children}
    </div>
  );
}
