import { useCallback, useMemo, useState, type ReactElement } from "react";
import { useSearchParams } from "react-router";
import { useDatasets } from "../../api/datasets.ts";
import { useKeys } from "../../api/keys.ts";
import { toUsageQuery, useUsage, type UsageFilter } from "../../api/usage.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { datasetTitle } from "./dataset-title.ts";
import { QuotaCard } from "./quota-card.tsx";
import { UsageCharts } from "./usage-charts.tsx";
import { usageColumns } from "./usage-columns.ts";
import { daysOf, readUsageFilter } from "./usage-filter.ts";
import { UsageFilters } from "./usage-filters.tsx";
import { UsageTotals } from "./usage-totals.tsx";

function UsageFigures({ filter }: { readonly filter: UsageFilter }): ReactElement {
  const usage = useUsage(filter);
  const datasets = useDatasets();
  const titleOf = useCallback((id: number) => datasetTitle(id, datasets.data ?? []), [datasets.data]);
  const columns = useMemo(() => usageColumns(titleOf), [titleOf]);
  const { from, to } = filter;
  const days = useMemo(() => daysOf({ from, to }), [from, to]);
  if (usage.isError) return <ErrorNote error={usage.error} onRetry={() => void usage.refetch()} />;
  if (usage.data === undefined) return <Spinner label="Loading usage" />;
  if (usage.data.lines.length === 0)
    return (
      <Card>
        <Empty title="Nothing was asked">No request in these days fits the filter.</Empty>
      </Card>
    );
  return (
    <>
      <UsageTotals lines={usage.data.lines} />
      <UsageCharts usage={usage.data} days={days} titleOf={titleOf} />
      <Card title="By day, key, dataset and status" isFlush>
        <DataTable
          caption="Usage by day, key, dataset and status"
          rows={usage.data.lines}
          columns={columns}
          rowKey={(line) => `${line.day} ${line.key_id} ${line.agent_id} ${line.status}`}
          initialSort={{ id: "day", isDescending: true }}
        />
      </Card>
    </>
  );
}

export default function UsagePage(): ReactElement {
  const [search, setSearch] = useSearchParams();
  const [openedAt] = useState(() => Date.now());
  const { range, ...filter } = readUsageFilter(search, openedAt);
  const keys = useKeys();
  const datasets = useDatasets();
  const change = (name: string, value: string): void => {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(name);
    else next.set(name, value);
    if (name === "range" && value === "custom") {
      next.set("from", filter.from);
      next.set("to", filter.to);
    }
    setSearch(next, { replace: true });
  };
  return (
    <>
      <PageHeader
        title="Usage"
        about="What was asked with your keys, and how it was answered. Days are UTC."
        actions={
          <a href={`/api/console/usage.csv?${toUsageQuery(filter)}`} download className={buttonClass()}>
            <Icon name="download" size={16} />
            CSV
          </a>
        }
      />
      <div className="flex flex-col gap-4">
        <UsageFilters
          filter={{ range, ...filter }}
          onChange={change}
          keys={(keys.data?.keys ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          datasets={(datasets.data ?? []).map(({ agent_id, title }) => ({ value: String(agent_id), label: title }))}
        />
        <UsageFigures filter={filter} />
        <QuotaCard />
      </div>
    </>
  );
}
