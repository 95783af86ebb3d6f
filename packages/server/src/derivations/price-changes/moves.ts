import { type Bars, type Buckets, EXTENTS } from "./buckets.ts";
import { ExactSums } from "./exact-sums.ts";
import type { TradedMinutes } from "./minutes.ts";

/** √(2/π): the mean of the absolute value of a standard normal. */
export const MEAN_ABSOLUTE = Math.sqrt(2 / Math.PI);

/** Returns the rate itself if it is so small that 1 − exp(−rate) would lose its digits. */
const chanceOf = (rate: number): number => (rate < 1e-6 ? rate : 1 - Math.exp(-rate));

/**
 * Lee and Mykland (2008): chance that the largest of `n` returns without jumps is as large as `statistic` = |r|/σ̂,
 * with σ̂² the bipower variation without its factor π/2. Gumbel: 1 − exp(−exp(−(L − C_n)/S_n)).
 */
export function leeMyklandP(statistic: number, n: number): number {
  const root = Math.sqrt(2 * Math.log(n));
  const middle = root / MEAN_ABSOLUTE - (Math.log(Math.PI) + Math.log(Math.log(n))) / (2 * MEAN_ABSOLUTE * root);
  return chanceOf(Math.exp(-(statistic - middle) * MEAN_ABSOLUTE * root));
}

/** Allowance subtracted from each standardised return: half of the drift to detect, in scales per bucket. */
export const CUSUM_ALLOWANCE = 1;

/**
 * Chance that Page's cumulative sum, to either side, gets as high as `height` within `n` standardised returns without
 * drift: 1 − exp(−2n/ARL), with Siegmund's run length ARL = (exp(2kh) − 2kh − 1)/(2k²), h = height + 1.166.
 */
export function cusumP(height: number, n: number): number {
  const reach = Math.min(2 * CUSUM_ALLOWANCE * (height + 1.166), 700);
  return chanceOf((4 * CUSUM_ALLOWANCE * CUSUM_ALLOWANCE * n) / (Math.exp(reach) - reach - 1));
}

/** Half of Polymarket's finest tick: prices are kept this far from 0 and 1 before their logit is taken. */
export const HALF_TICK = 0.0005;
/** A move in scales is capped at its number of half-cent steps, because prices are not known more precisely. */
export const MIN_STEP = 0.005;
/** Windows with fewer returns are not tested. */
export const MIN_RETURNS = 2;
/** Number of usual returns assumed before a window, by which its scale is shrunk to the usual. */
export const USUAL_RETURNS = 12;
/** Variance of the logit per day of a market without any data. */
export const USUAL_VARIANCE = 1.4;
/** A move is not confirmed if its volume is below this share of the usual. */
export const MIN_VOLUME = 0.1;
/** A move at least this likely by chance is not a move. */
const MAX_CHANCE = 0.5;

const MICRO = 1e6;
const PICO = 1e12;
/** Adding it rounds to integers, halves to even. */
const ROUNDING = 2 ** 52;
const { window, lately, drift } = EXTENTS;

/** The largest move that ends in each bar. The columns are reused for the next token. */
export class Moves {
  /** Index at which the lookback begins: `window` buckets and the move. */
  start = new Uint32Array(0);
  /** Returns in the window; 0 if it is not tested. */
  returns = new Uint32Array(0);
  chance = new Float64Array(0);
  statistic = new Float64Array(0);
  /** Number of bars that the move takes. */
  length = new Uint8Array(0);
  isMove = new Uint8Array(0);
  /** Shares per bucket relative to the window's; NaN if the window has none. */
  volumeRatio = new Float64Array(0);
  isConfirmed = new Uint8Array(0);
  #logit = new Float64Array(0);
  readonly #products = new ExactSums();

  /** Measures bars in these buckets and those near them. */
  measure(bars: Bars, traded: TradedMinutes, seconds: number, { first, last }: Buckets): void {
    this.#reserve(bars.count);
    this.#multiply(bars);
    let [start, late, reach] = [0, 0, 0];
    for (let at = 0; at < bars.count; at += 1) {
      const bucket = bars.bucket[at] as number;
      while ((bars.bucket[start] as number) < bucket - window - drift) start += 1;
      while ((bars.bucket[late] as number) < bucket - lately - drift) late += 1;
      while ((bars.bucket[reach] as number) < bucket - drift) reach += 1;
      this.start[at] = start;
      this.returns[at] = 0;
      this.isMove[at] = 0;
      this.isConfirmed[at] = 0;
      if (bucket < first - drift || bucket > last + drift) continue;
      if (reach - start < MIN_RETURNS || reach === at) continue;
      const scale = Math.sqrt(Math.max(this.#scaleOf(start, reach, seconds), this.#scaleOf(late, reach, seconds)));
      this.#test(bars, at, { start, reach, scale });
      if (this.isMove[at] === 1) this.#weigh(bars, traded, at, reach);
    }
  }

  /** Whether no nearby move is less likely, or as likely and larger, or as large and earlier. */
  isPeak(bars: Bars, at: number): boolean {
    if (this.isConfirmed[at] !== 1) return false;
    const bucket = bars.bucket[at] as number;
    for (let near = at - 1; near >= 0 && (bars.bucket[near] as number) >= bucket - drift; near -= 1)
      if (this.isConfirmed[near] === 1 && this.#compare(near, at) <= 0) return false;
    for (let near = at + 1; near < bars.count && (bars.bucket[near] as number) <= bucket + drift; near += 1)
      if (this.isConfirmed[near] === 1 && this.#compare(near, at) < 0) return false;
    return true;
  }

  #compare(one: number, other: number): number {
    const difference = (this.chance[one] as number) - (this.chance[other] as number);
    return difference !== 0
      ? difference
      : Math.abs(this.statistic[other] as number) - Math.abs(this.statistic[one] as number);
  }

  /**
   * Logits, and products of adjacent returns in integers of 1e-12, because sums of floats would depend on where they
   * began. A return over a longer pause than a move may take counts as none.
   */
  #multiply({ count, fair, bucket }: Bars): void {
    this.#products.clear();
    let before = 0;
    for (let at = 0; at < count; at += 1) {
      const part = Math.min(Math.max((fair[at] as number) / MICRO, HALF_TICK), 1 - HALF_TICK);
      const logit = Math.log(part / (1 - part));
      const isNear = at > 0 && (bucket[at] as number) - (bucket[at - 1] as number) <= drift;
      const change = isNear ? logit - (this.#logit[at - 1] as number) : 0;
      this.#logit[at] = logit;
      this.#products.add(Math.abs(change * before) * PICO + ROUNDING - ROUNDING);
      before = change;
    }
  }

  /** Squared scale of some returns, shrunk to the usual: a young or quiet market has too few returns of its own. */
  #scaleOf(from: number, to: number, seconds: number): number {
    const variation = this.#products.between(from, to) / PICO;
    const usual = (USUAL_RETURNS * USUAL_VARIANCE * seconds) / 86_400;
    return ((variation * Math.PI) / 2 + usual) / (to - from - 2 + USUAL_RETURNS);
  }

  /** Page's sum of the most recent standardised returns, each less its allowance, and the last return alone. */
  #test({ fair }: Bars, at: number, { start, reach, scale }: { start: number; reach: number; scale: number }): void {
    const [logit, price] = [this.#logit[at] as number, (fair[at] as number) / MICRO];
    let [height, length, single] = [Number.NEGATIVE_INFINITY, 1, 0];
    for (let back = 1; back <= at - reach; back += 1) {
      const moved = Math.abs(logit - (this.#logit[at - back] as number)) / scale;
      const scaled = Math.min(moved, Math.abs(price - (fair[at - back] as number) / MICRO) / MIN_STEP);
      if (back === 1) single = scaled / MEAN_ABSOLUTE;
      const sum = scaled - CUSUM_ALLOWANCE * back;
      if (sum > height) [height, length] = [sum, back];
    }
    const returns = reach - start;
    const singleP = leeMyklandP(single, returns);
    const sumP = height > 0 ? cusumP(height, returns) : 1;
    const isDrift = sumP < singleP;
    const taken = isDrift ? length : 1;
    const chance = Math.min(1, 2 * Math.min(singleP, sumP));
    const direction = Math.sign(logit - (this.#logit[at - taken] as number));
    this.returns[at] = returns;
    this.length[at] = taken;
    this.chance[at] = chance;
    this.isMove[at] = chance < MAX_CHANCE ? 1 : 0;
    this.statistic[at] = (isDrift ? height : single) * direction;
  }

  #weigh({ minutes }: Bars, { shares }: TradedMinutes, at: number, reach: number): void {
    const length = this.length[at] as number;
    const start = this.start[at] as number;
    const moved = shares.between(minutes[at - length + 1] as number, minutes[at + 1] as number) / MICRO;
    const usual = shares.between(minutes[start] as number, minutes[reach] as number) / MICRO;
    const ratio = usual > 0 ? moved / length / (usual / (reach - start)) : Number.NaN;
    this.volumeRatio[at] = ratio;
    this.isConfirmed[at] = moved > 0 && !(ratio < MIN_VOLUME) ? 1 : 0;
  }

  #reserve(most: number): void {
    if (most <= this.start.length) return;
    const length = Math.max(most, this.start.length * 2);
    this.start = new Uint32Array(length);
    this.returns = new Uint32Array(length);
    this.chance = new Float64Array(length);
    this.statistic = new Float64Array(length);
    this.length = new Uint8Array(length);
    this.isMove = new Uint8Array(length);
    this.volumeRatio = new Float64Array(length);
    this.isConfirmed = new Uint8Array(length);
    this.#logit = new Float64Array(length);
  }
}
