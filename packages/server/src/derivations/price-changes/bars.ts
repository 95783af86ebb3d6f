import type { TokenMinutes } from "./minutes.ts";

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
