import type { ReactElement } from "react";
import { useRouteError } from "react-router";
import { Button } from "../ui/button.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { PageHeader } from "../ui/page-header.tsx";

/** In place of a page that could not be drawn or loaded; an update of the service takes the old pages' files away. */
export function PageError(): ReactElement {
  const error = useRouteError();
  return (
    <div className="mx-auto max-w-2xl p-6">
      <PageHeader title="This page could not be shown" />
      <ErrorNote error={error} />
      <p className="my-4 text-ink-soft">
        The service may have been updated since this tab was opened. Reloading brings the new pages.
      </p>
      <Button tone="primary" icon="refresh" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </div>
  );
}
