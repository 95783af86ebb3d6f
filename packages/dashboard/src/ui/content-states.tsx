import type { ReactElement, ReactNode } from "react";
import { problemOf } from "../api/console-problem.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

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

/** An empty state: why there is nothing, and what the user can do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactElement {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-10 text-center">
      <p className="font-serif text-lg text-ink">{title}</p>
      {children === undefined ? null : <div className="max-w-md text-sm text-ink-faint">{children}</div>}
    </div>
  );
}

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
