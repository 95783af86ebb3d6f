import type { ReactElement } from "react";
import { Button } from "./button.tsx";

interface MoreButtonProps {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}

/** Goes on in a list that is read a page at a time; nothing at its end. */
export function MoreButton({ list }: MoreButtonProps): ReactElement | null {
  if (!list.hasNextPage) return null;
  return (
    <div className="mt-4 text-center">
      <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        Show earlier
      </Button>
    </div>
  );
}
