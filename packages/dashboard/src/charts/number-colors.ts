import type { ChartColor, ChartSeries } from "./chart-series.ts";

const ORDER: readonly ChartColor[] = ["1", "2", "3", "4", "5", "6"];

/** Gives each series without a colour the next one; one of no kind is a line. */
export function numberColors(series: readonly ChartSeries[]): ChartSeries[] {
  return series.map((one, index) => ({ kind: "line", color: ORDER[index % ORDER.length] ?? "1", ...one }));
}
