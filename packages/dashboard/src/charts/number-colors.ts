import type { ChartColor, ChartSeries } from "./chart-series.ts";

const ORDER: readonly ChartColor[] = ["1", "2", "3", "4", "5", "6"];

/** Assigns the next colour to each series without one; a series without a kind is a line. */
export function numberColors(series: readonly ChartSeries[]): ChartSeries[] {
  return series.map((one, index) => ({ kind: "line", color: ORDER[index % ORDER.length] ?? "1", ...one }));
}
