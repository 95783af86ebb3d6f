import { showFigure } from "../read/show-figure.ts";
import type { ChartSeries } from "./chart-series.ts";

function textAt(series: ChartSeries, index: number): string {
  return showFigure(series.texts?.[index] ?? series.values[index] ?? null);
}

/** Text description of a series: its first, last, least and greatest value, and the number of points. */
export function describeSeries(series: ChartSeries, xOf: (index: number) => string): string {
  const known = series.values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  const [first] = known;
  const last = known.at(-1);
  if (!first || !last) return `${series.label}: no values.`;
  const least = known.reduce((best, one) => (one.value < best.value ? one : best), first);
  const most = known.reduce((best, one) => (one.value > best.value ? one : best), first);
  const at = (one: { index: number }): string => `${textAt(series, one.index)} (${xOf(one.index)})`;
  return `${series.label}: ${known.length} ${known.length === 1 ? "point" : "points"}, first ${at(first)}, last ${at(last)}, lowest ${at(least)}, highest ${at(most)}.`;
}
