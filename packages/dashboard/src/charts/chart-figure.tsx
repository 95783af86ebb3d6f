import { useState, type KeyboardEvent, type ReactElement, type ReactNode } from "react";
import { showFigure } from "../read/exact-figures.ts";
import { type ChartSeries, describeSeries, type ChartColor } from "./chart-series.ts";
import { nextIndex } from "./next-index.ts";

const MAX_ROWS = 500;

type ChartTableProps = {
  readonly title: string;
  readonly xLabel: string;
  readonly count: number;
  readonly xOf: (index: number) => string;
  readonly series: readonly ChartSeries[];
};

/** The exact figures of a chart as a table, newest first. */
function ChartTable({ title, xLabel, count, xOf, series }: ChartTableProps): ReactElement {
  const indices = Array.from({ length: Math.min(count, MAX_ROWS) }, (_, index) => count - 1 - index);
  return (
    <div className="max-h-72 overflow-auto" tabIndex={0} role="region" aria-label={`${title}: table`}>
      <table className="w-full text-left text-xs tabular-nums">
        <thead>
          <tr>
            <th className="py-1 pr-4 font-medium">{xLabel}</th>
            {series.map(({ label }) => (
              <th key={label} className="py-1 pr-4 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {indices.map((index) => (
            <tr key={index}>
              <td className="py-0.5 pr-4 whitespace-nowrap">{xOf(index)}</td>
              {series.map(({ label, texts, values }) => (
                <td key={label} className="py-0.5 pr-4 text-right">
                  {showFigure(texts?.[index] ?? values[index] ?? null)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {count > MAX_ROWS ? (
        <p className="py-1 text-xs">
          The newest {MAX_ROWS} of {count} points.
        </p>
      ) : null}
    </div>
  );
}

type Props = ChartTableProps & {
  /** False if no colour distinguishes series. */
  readonly hasLegend?: boolean;
  /** Series described in words; all of them by default. */
  readonly described?: readonly ChartSeries[];
  readonly children: (at: number | null, onAt: (index: number | null) => void) => ReactNode;
};

/**
 * A chart with its text: a heading, a legend, the point under the cursor or the arrow keys, and a table. To a screen
 * reader it is a slider over its points, named by what the chart shows.
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
    const next = nextIndex(event, shown, count);
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
        aria-valuetext={read === "" ? "no point selected" : read}
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

/** CSS class of each colour. */
export const SWATCH: Readonly<Record<ChartColor, string>> = {
  "1": "bg-chart-1",
  "2": "bg-chart-2",
  "3": "bg-chart-3",
  "4": "bg-chart-4",
  "5": "bg-chart-5",
  "6": "bg-chart-6",
  up: "bg-up",
  down: "bg-down",
  muted: "bg-line-strong",
};

/** Legend of the series' colours; empty for a single series. */
export function ChartLegend({ series }: { readonly series: readonly ChartSeries[] }): ReactElement | null {
  if (series.length < 2) return null;
  return (
    <span className="flex flex-wrap gap-x-3 text-xs text-ink-soft">
      {series.map(({ label, color = "1" }) => (
        <span key={label} className="inline-flex items-center gap-1">
          <span aria-hidden="true" className={`inline-block size-2 rounded-sm ${SWATCH[color]}`} />
          {label}
        </span>
      ))}
    </span>
  );
}
