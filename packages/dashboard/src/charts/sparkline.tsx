import { lazy, Suspense, useMemo, type ReactElement } from "react";
import { type ChartSeries, describeSeries } from "./chart-series.ts";

const PlotCanvas = lazy(() => import("./plot-canvas.tsx"));

type Props = {
  readonly label: string;
  /** In order, evenly spaced. */
  readonly values: readonly (number | null)[];
};

const HEIGHT = 28;

/** A small line without axes, for a table cell or next to a figure. */
export function Sparkline({ label, values }: Props): ReactElement {
  const [first, last] = [values.find((one) => one !== null) ?? 0, values.findLast((one) => one !== null) ?? 0];
  const tone = last < first ? "down" : "up";
  const series = useMemo<ChartSeries[]>(() => [{ label, values, kind: "line", color: tone }], [label, values, tone]);
  const xs = useMemo(() => values.map((_, index) => index), [values]);
  const [one] = series;
  return (
    <div role="img" aria-label={one ? describeSeries(one, (index) => `point ${index + 1}`) : label} className="w-full">
      <Suspense fallback={<div style={{ height: HEIGHT }} />}>
        <PlotCanvas xs={xs} series={series} xKind="number" height={HEIGHT} isBare />
      </Suspense>
    </div>
  );
}
