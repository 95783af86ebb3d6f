import type { ReactElement } from "react";
import { Link } from "react-router";
import { useSession } from "../../app/session-context.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QuotaCard } from "../usage/quota-card.tsx";
import { KeysCard } from "./keys-card.tsx";
import { LinksCard } from "./links-card.tsx";
import { MostUsedCard } from "./most-used-card.tsx";
import { RequestsCard } from "./requests-card.tsx";
import { StreamsCard } from "./streams-card.tsx";

export default function OverviewPage(): ReactElement {
  const user = useSession();
  return (
    <>
      <PageHeader
        title="Overview"
        about={`${user.account.name}, on the plan ${user.account.plan}.`}
        actions={
          <Link to="/explore" className={buttonClass("primary")}>
            <Icon name="compass" size={16} />
            Explore datasets
          </Link>
        }
      />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-3">
        <div className="flex min-w-0 flex-col gap-4 lg:col-span-2">
          <RequestsCard />
          <MostUsedCard />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {user.role === "operator" ? <StreamsCard /> : null}
          <QuotaCard />
          <KeysCard />
          <LinksCard />
        </div>
      </div>
    </>
  );
}
