import type { ReactElement, ReactNode } from "react";
import type { Sort } from "../../../explore/sort-rows.ts";
import { Button } from "../../../ui/button.tsx";

interface GridToolbarProps {
  readonly sort: Sort | undefined;
  readonly hasMore: boolean;
  readonly onUnsort: () => void;
  readonly isTall: boolean;
  readonly onTall: () => void;
  readonly children: ReactNode;
}

export function GridToolbar({ sort, hasMore, onUnsort, isTall, onTall, children }: GridToolbarProps): ReactElement {
  return (
    <div className="flex flex-wrap items-center gap-2 px-5 py-2 text-[13px] text-ink-faint">
      {children}
      <Button isSmall tone="quiet" aria-pressed={isTall} onClick={onTall}>
        Taller
      </Button>
      {sort === undefined ? null : (
        <>
          <span role="status">
            Sorted by <code>{sort.column}</code>, {sort.isDescending ? "descending" : "ascending"}
            {hasMore ? ", among the rows loaded" : ""}.
          </span>
          <Button isSmall tone="quiet" onClick={onUnsort}>
            As answered
          </Button>
        </>
      )}
    </div>
  );
}
