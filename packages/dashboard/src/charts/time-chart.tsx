import { lazy, Suspense, useMemo, type ReactElement } from "react";
import { showTimestamp } from "../read/value-text.ts";
import { ChartFigure } from "./chart-figure.tsx";
import { type ChartSeries, numberColors, stackSeries } from "./chart-series.ts";

const PlotCanvas = lazy(() => import("./plot-canvas.tsx"));

type Props = {
  readonly title: string;
  /** Unix seconds, ascending; for bars the start of each one's interval. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly height: number;
  readonly isStacked?: boolean;
  /** The times are UTC days. */
  readonly isDays?: boolean;
  /** A time to draw a line at. */
  readonly playhead?: number;
};

/** Lines, areas or bars over time, stacked if `isStacked`. */
export function TimeChart(props: Props): ReactElement {
  const { title, times, series, height, isStacked = false, isDays = false, playhead } = props;
  const shown = useMemo(() => numberColors(series), [series]);
  const drawn = useMemo(() => {
    if (!isStacked) return shown;
    const tops = stackSeries(shown.map(({ values }) => values));
    return shown.map((one, index) => ({ ...one, values: tops[index] ?? [] })).toReversed();
  }, [shown, isStacked]);
  const xOf = (index: number): string => showTimestamp((times[index] ?? 0) * 1000, isDays);
  return (
    <ChartFigure title={title} xLabel={isDays ? "Day" : "Time"} count={times.length} xOf={xOf} series={shown}>
      {(at, onAt) => (
        <Suspense fallback={<div style={{ height }} />}>
          <PlotCanvas
            xs={times}
            series={drawn}
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
