import type { MadeValue } from "../../definition/served-buckets.ts";
import { figure } from "./amounts.ts";
import type { DailyProfit } from "./daily-series.ts";
import { correlation, meanOf, sumOf } from "./statistics.ts";
import type { DaySpan } from "./window-sums.ts";

/** A fall or a loss of less than this (USD) counts as none. */
const NOTHING = 1e-6;
const MOST = { calmar: 100, gainToPain: 100, ulcer: 1000 };
const STEADY = 0.8;
const MIN_DAYS_OF_PATTERN = 3;
/** Share of the total movement by which the later half must differ from the earlier. */
const TREND_SHARE = 0.1;

/** The curve of cumulative profit, from 0, day by day. */
type Curve = {
  readonly points: readonly number[];
  /** Highest point so far, at least 0, and the distance of the curve below it. */
  readonly peaks: readonly number[];
  readonly falls: readonly number[];
  readonly deepestFall: number;
};

function curveOf(series: readonly DailyProfit[]): Curve {
  const [points, peaks, falls]: [number[], number[], number[]] = [[], [], []];
  let [point, peak, deepestFall] = [0, 0, 0];
  for (const { profit } of series) {
    const before = point;
    point = before + profit;
    peak = Math.max(peak, point);
    deepestFall = Math.max(deepestFall, peak - before - profit);
    points.push(point);
    peaks.push(peak);
    falls.push(peak - point > NOTHING ? peak - point : 0);
  }
  return { points, peaks, falls, deepestFall };
}

/** Risk figures from the curve of mark-to-market profit. */
export function curveFields(
  series: readonly DailyProfit[],
  span: DaySpan,
  annual: number | null,
): Readonly<Record<string, MadeValue>> {
  const curve = curveOf(series);
  const depths = curve.falls.map((fall, place) => ratioTo(fall, curve.peaks[place] ?? 0));
  // Falls from a peak of 0 alone leave the depth undefined.
  const hasDepth = series.length > 0 && (depths.some((depth) => depth > 0) || curve.falls.every((fall) => fall === 0));
  const recoveries = recoveriesOf(series, curve.falls);
  const maxCapital = series.reduce((most, { capital }) => Math.max(most, capital), 0);
  const isEmpty = series.length === 0;
  return {
    calmar_ratio: figure(calmar(curve.deepestFall, maxCapital, annual)),
    gain_to_pain_ratio: figure(gainToPain(series)),
    max_drawdown: figure(hasDepth ? Math.max(...depths) : null),
    max_drawdown_usd: figure(isEmpty ? null : curve.deepestFall),
    drawdown_frequency: figure(isEmpty ? null : daysBelow(series, curve.falls, span.last) / span.length),
    recovery_time_avg: figure(recoveries.length === 0 ? null : meanOf(recoveries)),
    ulcer_index: figure(hasDepth ? Math.min(MOST.ulcer, Math.sqrt(meanOf(depths.map((one) => one * one)))) : null),
    equity_curve_pattern: patternOf(series, curve, span),
    performance_trend: trendOf(series, span),
  };
}

const ratioTo = (fall: number, peak: number): number => (peak > 0 ? fall / peak : 0);

function calmar(deepestFall: number, maxCapital: number, annual: number | null): number | null {
  if (deepestFall <= NOTHING || maxCapital < 1 || annual === null) return null;
  const isMost = annual * maxCapital > MOST.calmar * deepestFall;
  return isMost ? MOST.calmar : (annual * maxCapital) / deepestFall;
}

function gainToPain(series: readonly DailyProfit[]): number | null {
  const gain = sumOf(series.map(({ profit }) => Math.max(profit, 0)));
  const pain = sumOf(series.map(({ profit }) => Math.max(-profit, 0)));
  return pain > NOTHING ? Math.min(MOST.gainToPain, (gain - pain) / pain) : null;
}

/** Days that ended below an earlier high; a day without a row counts as the last one with a row. */
function daysBelow(series: readonly DailyProfit[], falls: readonly number[], last: number): number {
  return sumOf(
    series.map(({ day }, place) => ((falls[place] ?? 0) > 0 ? (series[place + 1]?.day ?? last + 1) - day : 0)),
  );
}

/** Days from the beginning of each fall until it was recovered. */
function recoveriesOf(series: readonly DailyProfit[], falls: readonly number[]): number[] {
  const recoveries: number[] = [];
  let begun: number | undefined;
  for (const [place, { day }] of series.entries()) {
    const isBelow = (falls[place] ?? 0) > 0;
    if (isBelow) begun ??= day;
    else if (begun !== undefined) {
      recoveries.push(day - begun);
      begun = undefined;
    }
  }
  return recoveries;
}

function patternOf(series: readonly DailyProfit[], { points }: Curve, span: DaySpan): string | null {
  if (series.length < MIN_DAYS_OF_PATTERN) return null;
  const end = points.at(-1) ?? 0;
  const lastFifth = Math.max(1, Math.floor(span.length / 5));
  const late = sumOf(series.map(({ day, profit }) => (day > span.last - lastFifth ? profit : 0)));
  if (end > 0 && late > end / 2) return "hockey-stick";
  const days = series.map(({ day }) => day);
  if (correlation(days, points) ** 2 >= STEADY) return "steady";
  return Math.max(...points) - Math.min(...points) < NOTHING ? "steady" : "volatile";
}

/** Compares the later half of the window with the earlier; a middle day is in neither. */
export function trendOf(series: readonly DailyProfit[], { first, length }: DaySpan): string {
  const half = Math.floor(length / 2);
  let [early, late, moved] = [0, 0, 0];
  for (const { day, profit } of series) {
    const isEarly = day < first + half;
    const isLate = day >= first + length - half;
    if (isEarly) early += profit;
    if (isLate) late += profit;
    if (isEarly || isLate) moved += Math.abs(profit);
  }
  if (late - early > TREND_SHARE * moved) return "improving";
  return early - late > TREND_SHARE * moved ? "declining" : "stable";
}
