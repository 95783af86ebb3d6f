import { useMemo, useState, type ReactElement } from "react";
import type { Usage } from "../../api/usage.ts";
import { BarChart } from "../../charts/bar-chart.tsx";
import type { ChartSeries } from "../../charts/chart-series.ts";
import { LineChart } from "../../charts/line-chart.tsx";
import { Card } from "../../ui/card.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { toDatasetSeries, toStatusSeries } from "./to-day-series.ts";

interface UsageChartsProps {
  readonly usage: Usage;
  readonly days: readonly string[];
  readonly titleOf: (agentId: number) => string;
}

const PERCENTILES = [
  { label: "Half within (p50)", field: "ms_p50", color: "1" },
  { label: "95 % within (p95)", field: "ms_p95", color: "2" },
  { label: "99 % within (p99)", field: "ms_p99", color: "3" },
] as const;

function toLatencySeries(usage: Usage, days: readonly string[]): readonly ChartSeries[] {
  const told = new Map(usage.days.map((one) => [one.day, one]));
  return PERCENTILES.map(({ label, field, color }) => ({
    label,
    color,
    kind: "line" as const,
    values: days.map((day) => told.get(day)?.[field] ?? null),
  }));
}

export function UsageCharts({ usage, days, titleOf }: UsageChartsProps): ReactElement {
  const [by, setBy] = useState("status");
  const times = useMemo(() => days.map((day) => Date.parse(day) / 1000), [days]);
  const series = useMemo(
    () => (by === "status" ? toStatusSeries(usage.lines, days) : toDatasetSeries(usage.lines, days, titleOf)),
    [by, usage, days, titleOf],
  );
  const latency = useMemo(() => toLatencySeries(usage, days), [usage, days]);
  const chart = (): ReactElement => (
    <BarChart title="Requests a day" times={times} series={series} isStacked isDays height={240} />
  );
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <Card>
        <Tabs
          label="Requests a day, by"
          active={by}
          onChange={setBy}
          tabs={[
            { id: "status", label: "By answer", panel: chart },
            { id: "dataset", label: "By dataset", panel: chart },
          ]}
        />
      </Card>
      <Card>
        <LineChart title="Time to answer, in ms" times={times} series={latency} isDays height={284} />
      </Card>
    </div>
  );
}
