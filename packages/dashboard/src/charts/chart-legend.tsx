import type { ReactElement } from "react";
import type { ChartColor, ChartSeries } from "./chart-series.ts";

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
