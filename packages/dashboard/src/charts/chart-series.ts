import { showFigure } from "../read/exact-figures.ts";

/** One line, area or set of bars over the x values of its chart. */
export type ChartSeries = {
  readonly label: string;
  /** Drawn values; null is a gap. */
  readonly values: readonly (number | null)[];
  /** The exact texts for the readout and the table; `values` printed if absent. */
  readonly texts?: readonly (string | null)[];
  /** Steps hold their value up to the next point (after) or since the last one (before). */
  readonly kind?: "line" | "area" | "bars" | "steps-after" | "steps-before";
  readonly color?: ChartColor;
};

/** A colour by its meaning; the theme defines how it looks. */
export type ChartColor = "1" | "2" | "3" | "4" | "5" | "6" | "up" | "down" | "muted";

const ORDER: readonly ChartColor[] = ["1", "2", "3", "4", "5", "6"];

/** Assigns the next colour to each series without one; a series without a kind is a line. */
export function numberColors(series: readonly ChartSeries[]): ChartSeries[] {
  return series.map((one, index) => ({ kind: "line", color: ORDER[index % ORDER.length] ?? "1", ...one }));
}

/** Stacks each series on those before it; gaps count as zero. The last is the total. */
export function stackSeries(series: readonly (readonly (number | null)[])[]): number[][] {
  const below: number[] = [];
  return series.map((values) =>
    values.map((value, index) => {
      const top = (below[index] ?? 0) + (value ?? 0);
      below[index] = top;
      return top;
    }),
  );
}

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
