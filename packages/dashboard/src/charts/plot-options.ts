import type uPlot from "uplot";
import type { ChartSeries } from "./chart-series.ts";
import type { ChartColors } from "./use-chart-colors.ts";

/** Content of a plot of lines, areas or bars. */
export type Plotted = {
  readonly xs: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly xKind: "time" | "number";
  readonly height: number;
  /** The x values are starts of UTC days. */
  readonly isDays?: boolean;
  /** Draws the line only: no axes, no cursor. */
  readonly isBare?: boolean;
};

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 4 });
const AREA_ALPHA = "33";
const DAY_S = 86_400;
const DAY_STEPS = [1, 2, 3, 5, 7, 14, 30, 60, 90, 180, 365];
const BAR_SHARE = 0.8;
const BAR_MAX_PX = 60;

const compactTicks = (_: uPlot, splits: number[]): string[] => splits.map((one) => COMPACT.format(one));

function drawn(series: ChartSeries, colors: ChartColors, paths: uPlot.Series.PathBuilderFactories): uPlot.Series {
  const color = colors[series.color ?? "1"];
  const lone = lonePoints(series.values);
  const points = { show: false, size: 6, fill: color, filter: () => (lone.length > 0 ? lone : null) };
  const base: uPlot.Series = { label: series.label, stroke: color, width: 1.5, points };
  if (series.kind === "bars") {
    const bars = paths.bars?.({ size: [BAR_SHARE, BAR_MAX_PX] });
    return { ...base, fill: color, width: 0, points: { show: false }, ...(bars ? { paths: bars } : {}) };
  }
  if (series.kind === "steps-after" || series.kind === "steps-before") {
    const steps = paths.stepped?.({ align: series.kind === "steps-after" ? 1 : -1 });
    return { ...base, fill: `${color}${AREA_ALPHA}`, ...(steps ? { paths: steps } : {}) };
  }
  return series.kind === "area" ? { ...base, fill: `${color}${AREA_ALPHA}` } : base;
}

/** Half a step of padding at both ends, so that the outer bars are fully visible. */
function roomForBars(
  xs: readonly number[],
  isTime: boolean,
): (self: uPlot, min: number, max: number) => [number, number] {
  const steps = xs.slice(1).map((x, index) => x - (xs[index] ?? x));
  const step = steps.length > 0 ? Math.min(...steps) : isTime ? DAY_S : 1;
  return () => [(xs[0] ?? 0) - step / 2, (xs.at(-1) ?? 1) + step / 2];
}

/** Ticks at starts of UTC days: uPlot's own are at local ones, which a change of the clock shifts. */
function dayTicks(_self: unknown, _axis: number, min: number, max: number, step: number): number[] {
  const first = Math.ceil(min / DAY_S) * DAY_S;
  return Array.from({ length: Math.max(0, Math.floor((max - first) / step) + 1) }, (_, index) => first + index * step);
}

const fromZero = (_: uPlot, min: number | null, max: number | null): [number, number] => {
  const [low, high] = [Math.min(0, min ?? 0), Math.max(0, max ?? 0)];
  return low === high ? [0, 1] : [low * 1.05, high * 1.05];
};

function axesOf({ xKind, isDays = false }: Plotted, colors: ChartColors): uPlot.Axis[] {
  const look = {
    stroke: colors.text,
    grid: { stroke: colors.grid, width: 1 },
    ticks: { stroke: colors.grid, width: 1, size: 4 },
    font: "11px system-ui, sans-serif",
  };
  return [
    {
      ...look,
      size: 26,
      space: 64,
      values: xKind === "time" ? timeTicks(isDays) : compactTicks,
      ...(isDays ? { incrs: DAY_STEPS.map((days) => days * DAY_S), splits: dayTicks } : {}),
    },
    { ...look, size: 52, space: 28, values: compactTicks },
  ];
}

/** uPlot's options for a plot, in the theme's colours. */
export function plotOptions(
  shown: Plotted,
  width: number,
  colors: ChartColors,
  paths: uPlot.Series.PathBuilderFactories,
): uPlot.Options {
  const isTime = shown.xKind === "time";
  const hasBars = shown.series.some(({ kind }) => kind === "bars");
  const isFilled = hasBars || shown.series.some(({ kind }) => kind === "area" || kind?.startsWith("steps"));
  return {
    width,
    height: shown.height,
    legend: { show: false },
    scales: {
      x: { time: isTime, ...(hasBars ? { range: roomForBars(shown.xs, isTime) } : {}) },
      ...(isFilled && !shown.isBare ? { y: { range: fromZero } } : {}),
    },
    cursor: shown.isBare ? { show: false } : { y: false, drag: { x: false, y: false } },
    axes: shown.isBare ? [{ show: false }, { show: false }] : axesOf(shown, colors),
    padding: shown.isBare ? [2, 1, 2, 1] : [8, null, null, null],
    series: [{}, ...shown.series.map((one) => drawn(one, colors, paths))],
  };
}

/** Indices of values without a neighbour to draw a line to. */
export function lonePoints(values: readonly (number | null)[]): number[] {
  return values.flatMap((value, index) =>
    value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null ? [index] : [],
  );
}

const MINUTE_S = 60;

type Labels = (self: unknown, splits: readonly number[], axis?: number, space?: number, step?: number) => string[];

/** Axis labels: the date at the start of a day or for daily steps, else the time. UTC days are shown in UTC. */
export function timeTicks(isDays: boolean): Labels {
  const zone = isDays ? { timeZone: "UTC" } : {};
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...zone } as const;
  const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", ...zone });
  const time = new Intl.DateTimeFormat(undefined, clock);
  const second = new Intl.DateTimeFormat(undefined, { ...clock, second: "2-digit" });
  return (_, splits, _axis, _space, step = 0) => {
    let before = "";
    return splits.map((at) => {
      const date = new Date(at * 1000);
      const dayText = day.format(date);
      const isNewDay = before !== "" && dayText !== before;
      before = dayText;
      if (step >= DAY_S || isNewDay) return dayText;
      return (step < MINUTE_S ? second : time).format(date);
    });
  };
}
