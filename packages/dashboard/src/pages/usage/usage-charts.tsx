import { useCallback, useMemo, useState, type ReactElement } from "react";
import { useUsage, type Usage, type UsageFilter, type UsageLine } from "../../api/usage.ts";
import type { ChartSeries } from "../../charts/chart-series.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { Former } from "../../ui/former.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { toDatasetSeries, toStatusSeries } from "./usage-sums.ts";

interface ChartProps {
  readonly filter: UsageFilter;
  readonly days: readonly string[];
}

const PERCENTILES = [
  { label: "Half within (p50)", field: "ms_p50", color: "1" },
  { label: "95 % within (p95)", field: "ms_p95", color: "2" },
  { label: "99 % within (p99)", field: "ms_p99", color: "3" },
] as const;

const HEIGHT = 240;

/** The start of each UTC day, in Unix seconds. */
const toTimes = (days: readonly string[]): readonly number[] => days.map((day) => Date.parse(day) / 1000);

interface DayChartProps extends ChartProps {
  readonly by: "day,status" | "day,dataset";
  /** Keep it the same between renders: the chart is drawn again when it changes. */
  readonly toSeries: (usage: Usage, days: readonly string[]) => readonly ChartSeries[];
}

function DayChart({ filter, days, by, toSeries }: DayChartProps): ReactElement {
  const usage = useUsage(filter, by);
  const series = useMemo(() => (usage.data ? toSeries(usage.data, days) : []), [usage.data, days, toSeries]);
  const times = useMemo(() => toTimes(days), [days]);
  if (usage.isError) return <ErrorNote error={usage.error} onRetry={() => void usage.refetch()} />;
  if (usage.data === undefined) return <Spinner label="Loading usage" />;
  return (
    <Former isFormer={usage.isPlaceholderData}>
      <TimeChart title="Requests a day" times={times} series={series} isStacked isDays height={HEIGHT} />
    </Former>
  );
}

const byStatus: DayChartProps["toSeries"] = ({ lines }, days) => toStatusSeries(lines, days);

export const StatusChart = (props: ChartProps): ReactElement => (
  <DayChart {...props} by="day,status" toSeries={byStatus} />
);

function DatasetChart({ titleOf, ...props }: ChartProps & Pick<UsageChartsProps, "titleOf">): ReactElement {
  const toSeries = useCallback<DayChartProps["toSeries"]>(
    ({ lines, days: totals, has_more }, days) => toDatasetSeries(lines, has_more ? totals : [], days, titleOf),
    [titleOf],
  );
  return <DayChart {...props} by="day,dataset" toSeries={toSeries} />;
}

function toLatencySeries(reported: readonly UsageLine[], days: readonly string[]): readonly ChartSeries[] {
  const byDay = new Map(reported.map((one) => [one.day, one]));
  return PERCENTILES.map(({ label, field, color }) => ({
    label,
    color,
    kind: "line" as const,
    values: days.map((day) => byDay.get(day)?.[field] ?? null),
  }));
}

interface UsageChartsProps extends ChartProps {
  readonly reported: readonly UsageLine[];
  /** The data belongs to the previous filter. */
  readonly isFormer: boolean;
  readonly titleOf: (agentId: number) => string;
}

/** Requests by day, grouped by the user's choice, and their durations. */
export function UsageCharts({ filter, days, reported, isFormer, titleOf }: UsageChartsProps): ReactElement {
  const [by, setBy] = useState("status");
  const latency = useMemo(() => toLatencySeries(reported, days), [reported, days]);
  const times = useMemo(() => toTimes(days), [days]);
  return (
    <div className="grid grid-cols-1 gap-4 xl:grid-cols-2">
      <Card>
        <Tabs
          label="Requests a day, by"
          active={by}
          onChange={setBy}
          tabs={[
            { id: "status", label: "By answer", panel: <StatusChart filter={filter} days={days} /> },
            {
              id: "dataset",
              label: "By dataset",
              panel: <DatasetChart filter={filter} days={days} titleOf={titleOf} />,
            },
          ]}
        />
      </Card>
      <Card>
        <Former isFormer={isFormer}>
          <TimeChart title="Time to answer, in ms" times={times} series={latency} isDays height={HEIGHT + 50} />
        </Former>
      </Card>
    </div>
  );
}
