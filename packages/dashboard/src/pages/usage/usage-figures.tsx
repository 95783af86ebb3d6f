import { useCallback, useMemo, type ReactElement } from "react";
import { useDatasets } from "../../api/datasets.ts";
import { useUsage, type UsageFilter, type UsageLine } from "../../api/usage.ts";
import { showFigure } from "../../read/exact-figures.ts";
import { Card } from "../../ui/card.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Empty, ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { Former } from "../../ui/former.tsx";
import { unansweredOf } from "./usage-sums.ts";
import { UsageCharts } from "./usage-charts.tsx";
import { daysOf } from "./usage-filter.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { showBytes, showSpan } from "../../read/value-text.ts";
import type { TableColumn } from "../../ui/table-column.ts";
import { Stat } from "../../ui/indicators.tsx";

interface UsageTotalsProps {
  readonly total: UsageLine;
  /** null: not known yet. */
  readonly unanswered: number | null;
}

function shareOf(part: number, whole: number): string {
  const share = (part / whole) * 100;
  return `${share === 0 ? "0" : share.toFixed(share < 1 ? 2 : 1)} %`;
}

const inMs = (ms: number | null): string => showSpan(ms === null ? null : ms / 1000);

/** Totals of the selected days. */
function UsageTotals({ total, unanswered }: UsageTotalsProps): ReactElement {
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-5">
        <Stat label="Requests" value={showFigure(total.requests)} />
        <Stat
          label="Not answered"
          value={unanswered === null ? "–" : shareOf(unanswered, total.requests)}
          note={unanswered === null ? undefined : `${showFigure(unanswered)} refused or failed`}
        />
        <Stat label="Rows" value={showFigure(total.rows)} />
        <Stat label="Sent" value={showBytes(total.bytes)} />
        <Stat label="Half within" value={inMs(total.ms_p50)} note={`95 % within ${inMs(total.ms_p95)}`} />
      </dl>
    </Card>
  );
}

const toMs = (ms: number | null): string => (ms === null ? "–" : showFigure(Number(ms.toFixed(ms < 10 ? 1 : 0))));

function figure(
  id: "requests" | "rows" | "bytes" | "ms_p50" | "ms_p95" | "ms_p99",
  header: string,
  show: (value: number | null) => string,
  width: number,
): TableColumn<UsageLine> {
  return { id, header, align: "right", width, sortValue: (line) => line[id], cell: (line) => show(line[id]) };
}

const toCount = (value: number | null): string => showFigure(value);

function usageColumns(titleOf: (agentId: number) => string): TableColumn<UsageLine>[] {
  return [
    { id: "day", header: "Day", about: "UTC", width: 120, sortValue: ({ day }) => day, cell: ({ day }) => day },
    {
      id: "key",
      header: "Key",
      width: 170,
      isRowHeader: true,
      sortValue: (line) => line.key_name ?? line.key_id,
      cell: (line) => line.key_name ?? line.key_id,
    },
    {
      id: "dataset",
      header: "Dataset",
      width: 230,
      sortValue: (line) => titleOf(line.agent_id ?? 0),
      cell: (line) => titleOf(line.agent_id ?? 0),
    },
    {
      id: "status",
      header: "Status",
      align: "right",
      width: 90,
      sortValue: ({ status }) => status,
      cell: ({ status }) => status,
    },
    figure("requests", "Requests", toCount, 110),
    figure("rows", "Rows", toCount, 110),
    figure("bytes", "Bytes", (bytes) => showBytes(bytes ?? 0), 100),
    figure("ms_p50", "p50 ms", toMs, 95),
    figure("ms_p95", "p95 ms", toMs, 95),
    figure("ms_p99", "p99 ms", toMs, 95),
  ];
}

/** Title for a usage line's agent id; 0 means requests that named no dataset. */
function datasetTitle(agentId: number, datasets: readonly Pick<Dataset, "agent_id" | "title">[]): string {
  if (agentId === 0) return "No dataset";
  return datasets.find(({ agent_id }) => agent_id === agentId)?.title ?? `Dataset ${agentId}`;
}

/** Usage that matches the filter: in total, by day, and line by line. */
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
  const { lines, total, days: reported, has_more } = usage.data;
  const isFormer = usage.isPlaceholderData;
  if (total === null)
    return (
      <Card>
        <Former isFormer={isFormer}>
          <Empty title="No requests">No request in these days matches the filter.</Empty>
        </Former>
      </Card>
    );
  return (
    <>
      <Former isFormer={isFormer}>
        <UsageTotals total={total} unanswered={unansweredOf(usage, byStatus)} />
      </Former>
      <UsageCharts filter={filter} days={days} reported={reported} isFormer={isFormer} titleOf={titleOf} />
      <Card
        title="By day, key, dataset and status"
        isFlush
        {...(has_more
          ? { about: `The first ${showFigure(lines.length)} lines; narrow the filter, or download the CSV for all.` }
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
