import type { TokenMinutes } from "./minutes.ts";

/** The resolutions of price changes and their lengths in seconds, finest first. */
export const PRICE_RESOLUTIONS = {
  "1m": 60,
  "5m": 300,
  "15m": 900,
  "1h": 3600,
  "4h": 14_400,
  "1d": 86_400,
} as const;

/** Resolutions that are computed together, finest first. */
export type Resolutions = readonly (keyof typeof PRICE_RESOLUTIONS)[];

/** Extents in buckets, the same at every resolution. */
export const EXTENTS = {
  /** Number of buckets before a move that give the scale of usual returns. */
  window: 96,
  /** Number of recent buckets whose scale is the lower bound, because volatility of returns varies over time. */
  lately: 20,
  /** Most buckets that a move takes. */
  drift: 6,
  /** A change is reverted if half of it is given back within this many buckets. */
  reverted: 10,
  /** Distance of rows that depend on each other: a peak on its neighbours, a reversal on what follows. */
  near: 12,
  /** Lookback of a row's statistic: window, move, and the returns of the first of them. */
  reach: 114,
} as const;

/** Numbers of buckets, both inclusive. */
export type Buckets = { readonly first: number; readonly last: number };

/** Activity in each bucket of a token that has any, in time order. The columns are reused for the next token. */
export class Bars {
  count = 0;
  /** Bucket numbers. */
  bucket = new Int32Array(0);
  /** In millionths; NaN without a trade. */
  close = new Float64Array(0);
  /** Middle of the last quotes, else the close. */
  fair = new Float64Array(0);
  /** Number of bars before each that have a trade. */
  traded = new Uint32Array(0);
  /** Number of traded minutes before each bar; one more entry than there are bars. */
  minutes = new Uint32Array(0);

  /** Everything before the first bucket becomes part of one bar, of which only the close is right. */
  fill(token: TokenMinutes, seconds: number, { first, last }: Buckets): void {
    const { traded, quoted, ofTraded, ofQuoted } = token;
    this.#reserve(ofTraded.to - ofTraded.from + ofQuoted.to - ofQuoted.from);
    let [trade, quote, count, withTrade] = [ofTraded.from, ofQuoted.from, 0, 0];
    for (;;) {
      const tradedAt = trade < ofTraded.to ? (traded.minute[trade] as number) : Number.POSITIVE_INFINITY;
      const quotedAt = quote < ofQuoted.to ? (quoted.minute[quote] as number) : Number.POSITIVE_INFINITY;
      const bucket = Math.max(first, Math.floor(Math.min(tradedAt, quotedAt) / seconds));
      if (bucket > last || bucket === Number.POSITIVE_INFINITY) break;
      const end = (bucket + 1) * seconds;
      this.bucket[count] = bucket;
      this.minutes[count] = trade;
      this.traded[count] = withTrade;
      while (trade < ofTraded.to && (traded.minute[trade] as number) < end) trade += 1;
      const begun = quote;
      while (quote < ofQuoted.to && (quoted.minute[quote] as number) < end) quote += 1;
      const isTraded = trade > (this.minutes[count] as number);
      const close = isTraded ? (traded.close[trade - 1] as number) : Number.NaN;
      this.close[count] = close;
      this.fair[count] = quote > begun ? (quoted.middle[quote - 1] as number) : close;
      if (isTraded) withTrade += 1;
      count += 1;
    }
    this.minutes[count] = trade;
    this.count = count;
  }

  #reserve(most: number): void {
    if (most < this.minutes.length) return;
    const length = Math.max(most + 1, this.minutes.length * 2);
    this.bucket = new Int32Array(length);
    this.close = new Float64Array(length);
    this.fair = new Float64Array(length);
    this.traded = new Uint32Array(length);
    this.minutes = new Uint32Array(length);
  }
}
