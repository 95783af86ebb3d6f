import { useMemo, type ReactElement } from "react";
import { Link } from "react-router";
import { BarChart } from "../../charts/bar-chart.tsx";
import { showFigure } from "../../read/show-figure.ts";
import { Card } from "../../ui/card.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { Stat } from "../../ui/stat.tsx";
import { TEXT_LINK } from "../../ui/text-link.ts";
import { toStatusSeries } from "../usage/to-day-series.ts";
import { useLastDays } from "./use-last-days.ts";

export function RequestsCard(): ReactElement {
  const { usage, days } = useLastDays();
  const lines = usage.data?.lines;
  const series = useMemo(() => toStatusSeries(lines ?? [], days), [lines, days]);
  const times = useMemo(() => days.map((day) => Date.parse(day) / 1000), [days]);
  const total = (lines ?? []).reduce((sum, line) => sum + line.requests, 0);
  const today = (lines ?? []).filter(({ day }) => day === days.at(-1)).reduce((sum, line) => sum + line.requests, 0);
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
      {lines === undefined ? null : lines.length === 0 ? (
        <Empty title="Nothing was asked yet">
          <Link to="/explore" className={TEXT_LINK}>
            Ask a dataset in the explorer
          </Link>
          , or make a key and ask from a program.
        </Empty>
      ) : (
        <>
          <dl className="mb-4 flex gap-10">
            <Stat label="Requests" value={showFigure(total)} />
            <Stat label="Today" value={showFigure(today)} />
          </dl>
          <BarChart title="Requests a day" times={times} series={series} isStacked isDays height={200} />
        </>
      )}
    </Card>
  );
}
