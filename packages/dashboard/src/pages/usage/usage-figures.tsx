import { useCallback, useMemo, type ReactElement } from "react";
import { useDatasets } from "../../api/datasets.ts";
import { useUsage, type UsageFilter } from "../../api/usage.ts";
import { showFigure } from "../../read/show-figure.ts";
import { Card } from "../../ui/card.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Former } from "../../ui/former.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { datasetTitle } from "./dataset-title.ts";
import { unansweredOf } from "./unanswered-of.ts";
import { UsageCharts } from "./usage-charts.tsx";
import { usageColumns } from "./usage-columns.ts";
import { daysOf } from "./usage-filter.ts";
import { UsageTotals } from "./usage-totals.tsx";

/** What the filter lets through: in all, by day, and line by line. */
export function UsageFigures({ filter }: { readonly filter: UsageFilter }): ReactElement {
  const usage = useUsage(filter);
  const byStatus = useUsage(filter, "day,status");
  const datasets = useDatasets();
  const titleOf = useCallback((id: number) => datasetTitle(id, datasets.data ?? []), [datasets.data]);
  const columns = useMemo(() => usageColumns(titleOf), [titleOf]);
  const { from, to } = filter;
  const days = useMemo(() => daysOf({ from, to }), [from, to]);
  if (usage.isError) return <ErrorNote error={usage.error} onRetry={() => void usage.refetch()} />;
  if (usage.data === undefined) return <Spinner label="Loading usage" />;
  const { lines, total, days: told, has_more } = usage.data;
  const isFormer = usage.isPlaceholderData;
  if (total === null)
    return (
      <Card>
        <Former isFormer={isFormer}>
          <Empty title="Nothing was asked">No request in these days fits the filter.</Empty>
        </Former>
      </Card>
    );
  return (
    <>
      <Former isFormer={isFormer}>
        <UsageTotals total={total} unanswered={unansweredOf(usage, byStatus)} />
      </Former>
      <UsageCharts filter={filter} days={days} told={told} isFormer={isFormer} titleOf={titleOf} />
      <Card
        title="By day, key, dataset and status"
        isFlush
        {...(has_more
          ? { about: `The first ${showFigure(lines.length)} lines; narrow the filter, or take the CSV for all.` }
          : {})}
      >
        <Former isFormer={isFormer}>
          <DataTable
            caption="Usage by day, key, dataset and status"
            rows={lines}
            columns={columns}
            rowKey={(line) => `${line.day} ${line.key_id} ${line.agent_id} ${line.status}`}
            initialSort={{ id: "day", isDescending: true }}
          />
        </Former>
      </Card>
    </>
  );
}
