import type { ReactElement } from "react";
import { Link } from "react-router";
import { useSession } from "../../app/session-context.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QuotaCard } from "../usage/quota-card.tsx";
import { MostUsedCard } from "./most-used-card.tsx";
import { StreamsCard } from "./streams-card.tsx";
import { useKeysOf } from "../../api/keys.ts";
import { BriefTimestamp } from "../../read/values.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNote, Empty, Spinner } from "../../ui/content-states.tsx";
import { TEXT_LINK } from "../../ui/text-link.ts";
import { CopyText } from "../../ui/copy-text.tsx";
import { useUsage } from "../../api/usage.ts";
import { showFigure } from "../../read/exact-figures.ts";
import { showSpan } from "../../read/value-text.ts";
import { Stat } from "../../ui/indicators.tsx";
import { StatusChart } from "../usage/usage-charts.tsx";
import { useLastDays } from "./use-last-days.ts";

function RequestsCard(): ReactElement {
  const { filter, days } = useLastDays();
  const usage = useUsage(filter, "day,status");
  const total = usage.data?.total;
  const today = usage.data?.days.find(({ day }) => day === days.at(-1))?.requests ?? 0;
  const p95 = total?.ms_p95 ?? null;
  return (
    <Card
      title="The last 30 days"
      aside={
        <Link to="/usage" className={TEXT_LINK}>
          All usage
        </Link>
      }
    >
      {usage.isError ? <ErrorNote error={usage.error} onRetry={() => void usage.refetch()} /> : null}
      {usage.isPending ? <Spinner label="Loading usage" /> : null}
      {total === null ? (
        <Empty title="No requests yet">
          <Link to="/explore" className={TEXT_LINK}>
            Query a dataset in the explorer
          </Link>
          , or create a key and query from a program.
        </Empty>
      ) : null}
      {total === null || total === undefined ? null : (
        <>
          <dl className="mb-4 flex flex-wrap gap-x-10 gap-y-3">
            <Stat label="Requests" value={showFigure(total.requests)} />
            <Stat label="Today" value={showFigure(today)} />
            <Stat label="95 % answered within" value={showSpan(p95 === null ? null : p95 / 1000)} />
          </dl>
          <StatusChart filter={filter} days={days} />
        </>
      )}
    </Card>
  );
}

/** The API endpoint, and links to its documentation. */
function LinksCard(): ReactElement {
  return (
    <Card title="The endpoint">
      <CopyText text={`${window.location.origin}/api/v2/semantic/retrieve/parameterized`} label="address" isBlock />
      <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <a href="/docs" className={TEXT_LINK}>
          Documentation
        </a>
        <a href="/openapi.json" className={TEXT_LINK}>
          OpenAPI
        </a>
      </p>
    </Card>
  );
}

const MOST = 4;

function KeysCard(): ReactElement {
  const keys = useKeysOf(useSession().account.id);
  const active = (keys.data ?? []).filter((key) => key.state === "active");
  const latest = active.toSorted((a, b) => ((a.last_used_at ?? "") < (b.last_used_at ?? "") ? 1 : -1)).slice(0, MOST);
  return (
    <Card
      title="Keys"
      aside={
        <Link to="/keys" className={TEXT_LINK}>
          {active.length > MOST ? `All ${active.length}` : "Manage keys"}
        </Link>
      }
    >
      {keys.isError ? <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} /> : null}
      {keys.data !== undefined && active.length === 0 ? (
        <p className="text-sm text-ink-faint">No active key. Create one to query from a program.</p>
      ) : null}
      <ul className="flex flex-col gap-2.5 text-sm">
        {latest.map((key) => (
          <li key={key.id} className="min-w-0">
            <p className="truncate font-medium">{key.name}</p>
            <p className="text-[13px] text-ink-faint">
              {key.last_used_at === null ? (
                "never used"
              ) : (
                <>
                  last used <BriefTimestamp at={key.last_used_at} />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

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
