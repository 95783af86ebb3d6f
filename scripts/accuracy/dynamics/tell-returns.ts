/** Prices (0 to 1) of several markets, one a minute without holes. */
export type PricesOf = { readonly name: string; readonly series: readonly (readonly number[])[] };

export type Returns = {
  readonly name: string;
  readonly series: number;
  readonly minutes: number;
  readonly returns: number;
  /** Of the logit, from bar to bar. */
  readonly deviation: number;
  /** Of a return with the one before: above 0 prices trend. */
  readonly autocorrelation: number;
  /** Variance over 2, 4 and 12 bars, over that of as many single ones: 1 where prices wander. */
  readonly ratios: readonly number[];
};

const SPANS = [2, 4, 12];
const logit = (price: number): number => {
  const kept = Math.min(0.98, Math.max(0.02, price));
  return Math.log(kept / (1 - kept));
};

/** Returns of the logit over bars of some minutes: how large, and whether one foretells the next. */
export function tellReturns({ name, series }: PricesOf, minutes: number): Returns {
  const bars = series.map((prices) => prices.filter((_, place) => place % minutes === 0).map(logit));
  const steps = bars.map((bar) => changes(bar, 1));
  const all = steps.flat();
  const squares = sumOf(all.map((step) => step * step));
  const pairs = sumOf(steps.map((own) => sumOf(own.slice(1).map((step, place) => step * (own[place] ?? 0)))));
  const variance = squares / all.length;
  const ratios = SPANS.map((span) => meanSquare(bars.flatMap((bar) => changes(bar, span))) / (span * variance));
  return {
    name,
    series: series.length,
    minutes,
    returns: all.length,
    deviation: Math.sqrt(variance),
    autocorrelation: pairs / squares,
    ratios,
  };
}

const changes = (bar: readonly number[], span: number): number[] =>
  bar.slice(span).map((value, place) => value - (bar[place] ?? 0));

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const meanSquare = (values: readonly number[]): number => sumOf(values.map((value) => value * value)) / values.length;
