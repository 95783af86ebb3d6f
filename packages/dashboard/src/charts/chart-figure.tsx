import { useState, type KeyboardEvent, type ReactElement, type ReactNode } from "react";
import { showFigure } from "../read/show-figure.ts";
import { ChartLegend } from "./chart-legend.tsx";
import type { ChartSeries } from "./chart-series.ts";
import { ChartTable } from "./chart-table.tsx";
import { describeSeries } from "./describe-series.ts";
import { nextIndex } from "./next-index.ts";

type Props = {
  readonly title: string;
  readonly xLabel: string;
  readonly count: number;
  readonly xOf: (index: number) => string;
  readonly series: readonly ChartSeries[];
  /** False where no colour tells series apart. */
  readonly hasLegend?: boolean;
  /** What is told in words; all of them unless said otherwise. */
  readonly described?: readonly ChartSeries[];
  readonly children: (at: number | null, onAt: (index: number | null) => void) => ReactNode;
};

/**
 * A chart with its words: a heading, what each colour is, the point under the cursor or the arrow keys, and a table. To
 * a screen reader it is a slider over its points, named by what the chart shows.
 */
export function ChartFigure(props: Props): ReactElement {
  const { title, xLabel, count, xOf, series, hasLegend = true, described = series, children } = props;
  const [at, setAt] = useState<number | null>(null);
  const [isTable, setIsTable] = useState(false);
  const shown = at === null || at >= count ? null : at;
  const label = `${title}. ${described.map((one) => describeSeries(one, xOf)).join(" ")} Arrow keys read single points.`;

  const read =
    shown === null
      ? ""
      : `${xOf(shown)} · ${series.map((one) => `${one.label} ${showFigure(one.texts?.[shown] ?? one.values[shown])}`).join(" · ")}`;

  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextIndex(event.key, shown, count);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
  };

  return (
    <figure className="m-0 min-w-0">
      <figcaption className="mb-1 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
        <span className="min-w-0 font-medium text-ink">{title}</span>
        {hasLegend ? <ChartLegend series={series} /> : null}
        <span className="min-h-8 w-full text-xs text-ink-soft tabular-nums sm:min-h-4">{read}</span>
      </figcaption>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, count - 1)}
        aria-valuenow={shown ?? 0}
        aria-valuetext={read === "" ? "no point chosen" : read}
        onKeyDown={onKeyDown}
        onBlur={() => setAt(null)}
      >
        {children(shown, setAt)}
      </div>
      <details className="mt-1 text-xs" onToggle={(event) => setIsTable(event.currentTarget.open)}>
        <summary className="w-fit text-ink-faint">As a table</summary>
        {isTable ? <ChartTable title={title} xLabel={xLabel} count={count} xOf={xOf} series={series} /> : null}
      </details>
    </figure>
  );
}
