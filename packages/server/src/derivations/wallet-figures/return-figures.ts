import type { MadeValue } from "../../definition/served-buckets.ts";
import { MIN_DAYS } from "../wallet-score/measures.ts";
import { evenHalves, figure } from "./amounts.ts";
import type { DailyProfit } from "./daily-series.ts";
import { erfc, meanOf, sumOf } from "./statistics.ts";

/** Smallest capital in USD for which a day has a return. */
const MIN_CAPITAL = 1;
/** Returns are summed as integers of 1e-12, truncated at this limit. */
const PARTS = 1e12;
const MAX_RETURN = 1e5;
const YEAR = 365;
const MIN_DAYS_OF_YEAR = 7;
const MOST = { sortino: 50, volatility: 1000 };
/** A deviation below this counts as none. */
const NO_DEVIATION = 1e-12;

export type Returns = {
  readonly returns: readonly number[];
  readonly mean: number;
  /** Sample standard deviation; 0 with fewer than two days. */
  readonly deviation: number;
  readonly annual: number | null;
};

/** Profit over capital of the days with capital. */
export function returnsOf(series: readonly DailyProfit[]): Returns {
  const returns = series.filter(({ capital }) => capital >= MIN_CAPITAL).map(({ profit, capital }) => profit / capital);
  const count = returns.length;
  let [sum, squares] = [0n, 0n];
  for (const one of returns) {
    const part = BigInt(evenHalves(Math.max(Math.min(one, MAX_RETURN), -MAX_RETURN) * PARTS));
    sum += part;
    squares += part * part;
  }
  const { mean, deviation } = spreadOf({ days: BigInt(count), sum, squares });
  return { returns, mean, deviation, annual: count < MIN_DAYS_OF_YEAR ? null : mean * YEAR };
}

/** Sums of returns as integers of 1e-12: number of days, their sum, and the sum of their squares. */
type ReturnSums = { readonly days: bigint; readonly sum: bigint; readonly squares: bigint };

/** Exact except for the square root. */
function spreadOf({ days, sum, squares }: ReturnSums): Pick<Returns, "mean" | "deviation"> {
  const count = Number(days);
  const spread = Number(days * squares - sum * sum);
  return {
    mean: count === 0 ? 0 : Number(sum) / PARTS / count,
    deviation: count < 2 ? 0 : Math.sqrt(spread / 1e24 / count / (count - 1)),
  };
}

export const sharpeOfSums = (sums: ReturnSums): number | null => sharpeOf(spreadOf(sums));

export function returnFields({ returns, mean, deviation, annual }: Returns): Readonly<Record<string, MadeValue>> {
  return {
    sharpe_ratio: figure(sharpeOf({ mean, deviation })),
    sortino_ratio: figure(sortino(returns, mean)),
    annualized_return: figure(annual),
    curve_volatility: figure(returns.length < 2 ? null : Math.min(MOST.volatility, deviation)),
    sharpe_probability: figure(sharpeProbability(returns)),
  };
}

export const sharpeOf = ({ mean, deviation }: Pick<Returns, "mean" | "deviation">): number | null =>
  deviation > NO_DEVIATION ? (mean / deviation) * Math.sqrt(YEAR) : null;

function sortino(returns: readonly number[], mean: number): number | null {
  if (returns.length < 2) return null;
  const downside = Math.sqrt(meanOf(returns.map((one) => Math.min(one, 0) ** 2)));
  return downside > NO_DEVIATION ? Math.min(MOST.sortino, (mean / downside) * Math.sqrt(YEAR)) : null;
}

/** As probabilisticSharpe, but to the last digits: the score uses a faster distribution function. */
export function sharpeProbability(returns: readonly number[]): number | null {
  const count = returns.length;
  if (count < MIN_DAYS) return null;
  const mean = meanOf(returns);
  const timestamp = (power: number): number => sumOf(returns.map((one) => (one - mean) ** power)) / count;
  const variance = timestamp(2);
  if (variance < 1e-24) return null;
  const sharpe = mean / Math.sqrt((variance * count) / (count - 1));
  const skewness = timestamp(3) / variance ** 1.5;
  const kurtosis = timestamp(4) / variance ** 2;
  const spread = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2;
  return erfc((-sharpe * Math.sqrt(count - 1)) / Math.sqrt(2 * Math.max(1e-6, spread))) / 2;
}
