import type { ReactElement } from "react";
import { problemOf } from "../api/problem-of.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** An error in the service's own words, with the request id to give to an operator. */
export function ErrorNote({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
}): ReactElement {
  const message = error instanceof Error ? error.message : "Something went wrong.";
  const requestId = problemOf(error)?.requestId;
  return (
    <div role="alert" className="flex items-start gap-3 rounded-lg bg-down-soft px-4 py-3 text-sm text-down">
      <Icon name="alert" />
      <div className="min-w-0 flex-1">
        <p className="break-words">{message}</p>
        {requestId === undefined ? null : <p className="mt-0.5 font-mono text-xs break-all">{requestId}</p>}
      </div>
      {onRetry === undefined ? null : (
        <Button isSmall icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
