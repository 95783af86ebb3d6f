import type { ReactElement } from "react";
import { Link } from "react-router";
import { useUsage } from "../../api/usage.ts";
import { showFigure } from "../../read/show-figure.ts";
import { showSpan } from "../../read/show-span.ts";
import { Card } from "../../ui/card.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { Stat } from "../../ui/stat.tsx";
import { TEXT_LINK } from "../../ui/text-link.ts";
import { StatusChart } from "../usage/usage-charts.tsx";
import { useLastDays } from "./use-last-days.ts";

export function RequestsCard(): ReactElement {
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
        <Empty title="Nothing was asked yet">
          <Link to="/explore" className={TEXT_LINK}>
            Ask a dataset in the explorer
          </Link>
          , or make a key and ask from a program.
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
