import { createBrowserRouter, type RouteObject, Navigate, useLocation, Link, useRouteError } from "react-router";
import { type PageRoute, ROUTES, maySee } from "./routes.ts";
import { Activity, useState, type ReactElement, type ReactNode } from "react";
import { useSessionQuery } from "../api/session.ts";
import { ErrorNote, Spinner, Empty } from "../ui/content-states.tsx";
import { Layout } from "./layout.tsx";
import { SessionContext, useSession } from "./session-context.ts";
import { toSignIn } from "./way-back.ts";
import { PageHeader } from "../ui/page-header.tsx";
import { Button } from "../ui/button.tsx";
import { useIsPageHeld } from "../ui/page-hold.ts";
import { SignIn } from "../pages/sign-in/sign-in.tsx";

/** Shows a message on a page that the user's role may not see; the service refuses its data in any case. */
function RoleGate({ route, children }: { readonly route: PageRoute; readonly children: ReactNode }): ReactElement {
  const user = useSession();
  if (maySee(route, user.role)) return <>{children}</>;
  const needed = route.roles === "anyone" ? "" : route.roles.join(" or ");
  return (
    <>
      <PageHeader title={route.title} />
      <Empty title="This page is not for your role">
        You are signed in as {user.role}; it is for the role {needed}. <Link to="/">Go to the overview</Link>
      </Empty>
    </>
  );
}

/** Shown for a page that failed to render or load; an update of the service removes the old pages' files. */
function PageError(): ReactElement {
  const error = useRouteError();
  return (
    <div className="mx-auto max-w-2xl p-6">
      <PageHeader title="This page could not be shown" />
      <ErrorNote error={error} />
      <p className="my-4 text-ink-soft">
        The service may have been updated since this tab was opened. Reload to get the new pages.
      </p>
      <Button tone="primary" icon="refresh" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </div>
  );
}

function NotFound(): ReactElement {
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title="No such page" />
      <Empty title="There is nothing here">
        <p className="break-all">{pathname}</p>
        <p>
          Check the address, or go to the{" "}
          <Link to="/" className="text-accent underline">
            overview
          </Link>
          .
        </p>
      </Empty>
    </>
  );
}

/**
 * Admits signed-in users; others are sent to sign in and return to the page they requested. If the session ends on a
 * page, the page is hidden until its user signs in again, with the forms as filled in, except of passwords.
 */
function Guard(): ReactElement {
  const session = useSessionQuery();
  const location = useLocation();
  const isHeld = useIsPageHeld();
  const [user, setUser] = useState(session.data ?? null);
  if (session.data && session.data !== user && !isHeld) setUser(session.data);
  if (session.data === undefined) {
    if (!session.isError) return <Spinner />;
    return (
      <main className="mx-auto max-w-lg p-6 pt-24">
        <ErrorNote error={session.error} onRetry={() => void session.refetch()} />
      </main>
    );
  }
  const isPassword = location.pathname === "/password";
  const isEnded = session.data === null && !isHeld;
  if (user === null || (isEnded && isPassword)) return <Navigate to={toSignIn(location)} replace />;
  if (user.must_change_password === true && !isPassword) return <Navigate to="/password" replace />;
  return (
    <>
      <Activity mode={isEnded ? "hidden" : "visible"}>
        {/* The key remounts everything for another user, who signed in in another tab. */}
        <SessionContext key={user.id} value={user}>
          <Layout />
        </SessionContext>
      </Activity>
      {isEnded ? <SignIn /> : null}
    </>
  );
}

function toRouteObject(route: PageRoute): RouteObject {
  return {
    path: route.path,
    ErrorBoundary: PageError,
    lazy: async () => {
      const { default: Page } = await route.load();
      if (route.roles === "anyone") return { Component: Page };
      return {
        Component: () => (
          <RoleGate route={route}>
            <Page />
          </RoleGate>
        ),
      };
    },
  };
}

export function createRouter(): ReturnType<typeof createBrowserRouter> {
  const open = ROUTES.filter((route) => route.roles === "anyone");
  const guarded = ROUTES.filter((route) => route.roles !== "anyone");
  return createBrowserRouter([
    {
      HydrateFallback: () => null,
      ErrorBoundary: PageError,
      children: [
        ...open.map((route) => toRouteObject(route)),
        {
          Component: Guard,
          children: [...guarded.map((route) => toRouteObject(route)), { path: "*", Component: NotFound }],
        },
      ],
    },
  ]);
}
