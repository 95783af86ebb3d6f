import type { ReactElement } from "react";
import { Button } from "./button.tsx";

interface MoreButtonProps {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  readonly label?: string;
  /** States which lines are shown so far, if that could be misunderstood. */
  readonly note?: string;
}

/** Loads the next page of a list; hidden at its end. */
export function MoreButton({ list, label = "Show earlier", note }: MoreButtonProps): ReactElement | null {
  if (!list.hasNextPage) return null;
  return (
    <div className="mt-4 text-center">
      {note === undefined ? null : <p className="mb-2 text-sm text-ink-faint">{note}</p>}
      <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {label}
      </Button>
    </div>
  );
}
