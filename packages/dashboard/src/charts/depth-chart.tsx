import { lazy, Suspense, type ReactElement } from "react";
import { ChartFigure } from "./chart-figure.tsx";
import type { ChartSeries } from "./chart-series.ts";

const PlotCanvas = lazy(() => import("./plot-canvas.tsx"));

type Props = {
  readonly title: string;
  /** Ascending. */
  readonly prices: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly height: number;
};

/** Cumulative sizes over prices. */
export function DepthChart({ title, prices, series, height }: Props): ReactElement {
  const xOf = (index: number): string => `at ${String(prices[index] ?? "")}`;
  return (
    <ChartFigure title={title} xLabel="Price" count={prices.length} xOf={xOf} series={series}>
      {(at, onAt) => (
        <Suspense fallback={<div style={{ height }} />}>
          <PlotCanvas xs={prices} series={series} xKind="number" height={height} at={at} onAt={onAt} />
        </Suspense>
      )}
    </ChartFigure>
  );
}
