import type { PenaltyInput } from "./score-factors.ts";

export type Day = { readonly profit: number; readonly capital: number };

/**
 * 1 less the deepest fall of the cumulative daily profits from their highest point (from 0 on), over the largest
 * capital of a day; at least 0. Null if no day had capital.
 */
export function calm(days: readonly Day[]): number | null {
  let sum = 0;
  let peak = 0;
  let fall = 0;
  let most = 0;
  for (const { profit, capital } of days) {
    sum += profit;
    peak = Math.max(peak, sum);
    fall = Math.max(fall, peak - sum);
    most = Math.max(most, capital);
  }
  return most > 0 ? Math.max(0, 1 - fall / most) : null;
}

/** Largest share of all gains that one market may have. */
export const MAX_OF_ALL = 0.2;

/**
 * Sum of markets' profits (USD, one list per event) in which no market's gain counts for more than a fifth of all
 * gains; losses count in full.
 */
export function cappedProfit(events: readonly { readonly profits: readonly number[] }[]): number {
  let gains = 0;
  for (const { profits } of events) for (const profit of profits) gains += Math.max(0, profit);
  const most = MAX_OF_ALL * gains;
  let sum = 0;
  for (const { profits } of events) for (const profit of profits) sum += Math.min(profit, most);
  return sum;
}

export const MIN_DAYS = 3;

/**
 * Probability that the true Sharpe ratio of the first `count` returns is above 0 (Bailey and López de Prado 2012):
 * Φ[SR·√(T − 1) / √(1 − γ₃·SR + ((γ₄ − 1)/4)·SR²)], SR a day's mean over its standard deviation. Null with fewer than
 * three returns or if they do not differ.
 */
export function probabilisticSharpe(returns: Float64Array, count = returns.length): number | null {
  if (count < MIN_DAYS) return null;
  let sum = 0;
  for (let place = 0; place < count; place += 1) sum += returns[place] ?? 0;
  const mean = sum / count;
  let [squares, cubes, fourths] = [0, 0, 0];
  for (let place = 0; place < count; place += 1) {
    const off = (returns[place] ?? 0) - mean;
    const square = off * off;
    squares += square;
    cubes += square * off;
    fourths += square * square;
  }
  const second = squares / count;
  if (second < 1e-24) return null;
  const skewness = cubes / count / second ** 1.5;
  const kurtosis = fourths / count / second ** 2;
  const sharpe = mean / Math.sqrt((second * count) / (count - 1));
  const spread = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2;
  return normalCdf((sharpe * Math.sqrt(count - 1)) / Math.sqrt(Math.max(spread, 1e-6)));
}

/**
 * Standard normal distribution function, accurate to 1.5e-7 (Abramowitz and Stegun 7.1.26, error function by a
 * polynomial).
 */
export function normalCdf(x: number): number {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.327_591_1 * z);
  const sum =
    t * (0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
  const tail = (sum * Math.exp(-z * z)) / 2;
  return x >= 0 ? 1 - tail : tail;
}

/** A wallet's figures over some events and days, before they are ranked. */
export type Measures = {
  readonly entries: number;
  readonly events: number;
  /** Mean edge and the weight behind it. */
  readonly edge: number;
  readonly weight: number;
  /** Model variance of the edge, before it is scaled by the observed variation of events. */
  readonly variance: number;
  /** Sum of the events' squared residuals, and the value that the model expects. */
  readonly residual: number;
  readonly expected: number;
  readonly z: number;
  readonly profit: number;
  readonly sharpe: number | null;
  readonly calm: number | null;
  readonly clv: number | null;
  readonly breadth: number;
};

/** Smallest capital (USD) for which a day's return is meaningful. */
export const MIN_CAPITAL = 1;

/** Computes the ranked values. Events are clusters: within one, entries count as one observation's worth of luck. */
export function measures(events: readonly ScoreEvent[], days: readonly Day[]): Measures {
  const sums = sumUp(events);
  const edge = sums.weight > 0 ? sums.skill / sums.weight : 0;
  let residual = 0;
  for (const event of events) residual += (event.skillSum - event.weight * edge) ** 2;
  return {
    entries: sums.entries,
    events: sums.active,
    edge,
    weight: sums.weight,
    variance: sums.weight > 0 ? sums.expected / sums.weight ** 2 : 1,
    residual,
    expected: sums.expected,
    z: sums.variance > 0 ? sums.edge / Math.sqrt(sums.variance) : 0,
    profit: cappedProfit(events),
    sharpe: probabilisticSharpe(returnsOf(days)),
    calm: calm(days),
    clv: sums.clvEntries > 0 ? sums.clv / sums.clvEntries : null,
    breadth: sums.squares > 0 ? sums.entries ** 2 / sums.squares : 0,
  };
}

/** A day's profit over its capital; NaN without enough capital. */
export const returnOf = ({ profit, capital }: Day): number => (capital >= MIN_CAPITAL ? profit / capital : NaN);

function returnsOf(days: readonly Day[]): Float64Array {
  const returns = new Float64Array(days.length);
  let known = 0;
  for (const day of days) {
    const found = returnOf(day);
    if (Number.isNaN(found)) continue;
    returns[known] = found;
    known += 1;
  }
  return returns.subarray(0, known);
}

function sumUp(events: readonly ScoreEvent[]) {
  const sums = {
    entries: 0,
    active: 0,
    squares: 0,
    edge: 0,
    variance: 0,
    skill: 0,
    weight: 0,
    expected: 0,
    clv: 0,
    clvEntries: 0,
  };
  for (const event of events) {
    sums.entries += event.entries;
    sums.active += event.entries > 0 ? 1 : 0;
    sums.squares += event.entries ** 2;
    sums.edge += event.edgeSum;
    sums.variance += event.varianceSum;
    sums.skill += event.skillSum;
    sums.weight += event.weight;
    sums.expected += event.weight * event.spread;
    sums.clv += event.clvSum;
    sums.clvEntries += event.clvEntries;
  }
  return sums;
}

/** All inputs of a wallet's score: its events and days of the window, and its patterns. */
export type WalletSample = {
  readonly wallet: string;
  readonly events: readonly ScoreEvent[];
  readonly days: readonly Day[];
  readonly penalty: PenaltyInput;
};

/** A wallet's activity in one event, over its markets resolved in the window, and its realised profit there. */
export type ScoreEvent = {
  readonly category: string;
  readonly entries: number;
  readonly edgeSum: number;
  readonly varianceSum: number;
  /** Weighted sum of the entries' edges with luck removed and costs charged, and the sum of the weights. */
  readonly skillSum: number;
  readonly weight: number;
  /** Weighted sum of price times (1 less price). */
  readonly spread: number;
  readonly clvEntries: number;
  readonly clvSum: number;
  /** Realised profit of each of its markets, USD. */
  readonly profits: readonly number[];
};
