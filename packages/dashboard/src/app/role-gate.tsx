import type { ReactElement, ReactNode } from "react";
import { Link } from "react-router";
import { Empty } from "../ui/empty.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { maySee } from "./may-see.ts";
import type { PageRoute } from "./page-route.ts";
import { useSession } from "./session-context.ts";

/** Says so on a page that is not for the reader's role; the service refuses its data in any case. */
export function RoleGate({
  route,
  children,
}: {
  readonly route: PageRoute;
  readonly children: ReactNode;
}): ReactElement {
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
