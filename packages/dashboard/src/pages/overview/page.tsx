import type { ReactElement } from "react";
import { useSession } from "../../app/session-context.ts";
import { PageHeader } from "../../ui/page-header.tsx";

export default function OverviewPage(): ReactElement {
  const user = useSession();
  return <PageHeader title="Overview" about={`${user.account.name}, on the plan ${user.account.plan}.`} />;
}
