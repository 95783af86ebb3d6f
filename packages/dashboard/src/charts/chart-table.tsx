import type { ReactElement } from "react";
import { showFigure } from "../read/show-figure.ts";
import type { ChartSeries } from "./chart-series.ts";

const MOST_ROWS = 500;

type Props = {
  readonly title: string;
  readonly xLabel: string;
  readonly count: number;
  readonly xOf: (index: number) => string;
  readonly series: readonly ChartSeries[];
};

/** The figures of a chart as a table: the newest first, exact. */
export function ChartTable({ title, xLabel, count, xOf, series }: Props): ReactElement {
  const indices = Array.from({ length: Math.min(count, MOST_ROWS) }, (_, index) => count - 1 - index);
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
      {count > MOST_ROWS ? (
        <p className="py-1 text-xs">
          The newest {MOST_ROWS} of {count} points.
        </p>
      ) : null}
    </div>
  );
}
