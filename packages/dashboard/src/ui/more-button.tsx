import type { ReactElement } from "react";
import { Button } from "./button.tsx";

interface MoreButtonProps {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  readonly label?: string;
  /** Which lines are shown so far, where one could take them for others. */
  readonly note?: string;
}

/** Goes on in a list that is read a page at a time; nothing at its end. */
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
