import type { ReactElement } from "react";
import { Navigate, useLocation } from "react-router";
import { useSessionQuery } from "../api/session.ts";
import { ErrorNote } from "../ui/error-note.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { Layout } from "./layout.tsx";
import { SessionContext } from "./session-context.ts";
import { toSignIn } from "./way-back.ts";

/** Lets in who is signed in; others go to sign in and come back to the page they asked for. */
export function Guard(): ReactElement {
  const session = useSessionQuery();
  const location = useLocation();
  if (session.data === undefined) {
    if (!session.isError) return <Spinner />;
    return (
      <main className="mx-auto max-w-lg p-6 pt-24">
        <ErrorNote error={session.error} onRetry={() => void session.refetch()} />
      </main>
    );
  }
  if (session.data === null) return <Navigate to={toSignIn(location)} replace />;
  if (session.data.must_change_password === true && location.pathname !== "/password")
    return <Navigate to="/password" replace />;
  return (
    // Another user, who signed in in another tab, begins anew.
    <SessionContext key={session.data.id} value={session.data}>
      <Layout />
    </SessionContext>
  );
}
