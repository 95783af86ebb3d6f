import { lazy, Suspense, useMemo, type ReactElement } from "react";
import { showMoment } from "../read/show-moment.ts";
import { ChartFigure } from "./chart-figure.tsx";
import type { ChartSeries } from "./chart-series.ts";
import { numberColors } from "./number-colors.ts";

const PlotCanvas = lazy(() => import("./plot-canvas.tsx"));

type Props = {
  readonly title: string;
  /** Unix seconds, ascending. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly height?: number;
  /** The times are UTC days. */
  readonly isDays?: boolean;
  /** A time to draw a line at. */
  readonly playhead?: number;
};

/** Lines and areas over time. */
export function LineChart({ title, times, series, height = 220, isDays = false, playhead }: Props): ReactElement {
  const shown = useMemo(() => numberColors(series, "line"), [series]);
  const xOf = (index: number): string => showMoment((times[index] ?? 0) * 1000, isDays);
  return (
    <ChartFigure title={title} xLabel={isDays ? "Day" : "Time"} count={times.length} xOf={xOf} series={shown}>
      {(at, onAt) => (
        <Suspense fallback={<div style={{ height }} />}>
          <PlotCanvas
            xs={times}
            series={shown}
            xKind="time"
            height={height}
            isDays={isDays}
            playhead={playhead}
            at={at}
            onAt={onAt}
          />
        </Suspense>
      )}
    </ChartFigure>
  );
}
