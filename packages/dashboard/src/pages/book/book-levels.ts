import {
  addDecimals,
  parseDecimal,
  type ExactDecimal,
  printDecimal,
  toPercent,
  toPixelNumber,
} from "../../read/exact-figures.ts";
import type { ChartSeries } from "../../charts/chart-series.ts";
import type { BookRow } from "./use-book.ts";

/** A level of one side with the cumulative size up to it. */
export type LadderLevel = {
  readonly price: string;
  readonly size: string;
  /** Exact sum of the sizes from the best price to this one. */
  readonly cumulated: string;
};

type Level = { readonly price: string; readonly size: string };

const ZERO: ExactDecimal = { units: 0n, scale: 0 };

function isLevel(one: unknown): one is Level {
  const { price, size } = (one ?? {}) as Record<string, unknown>;
  return typeof price === "string" && typeof size === "string";
}

/** One side of a book from the dataset's JSON (where the best is last), best first. */
export function ladderOf(side: string): LadderLevel[] {
  const read: unknown = JSON.parse(side);
  if (!Array.isArray(read)) return [];
  let sum = ZERO;
  return read
    .filter(isLevel)
    .toReversed()
    .map(({ price, size }) => {
      sum = addDecimals(sum, parseDecimal(size) ?? ZERO);
      return { price, size, cumulated: printDecimal(sum, true) };
    });
}

/** Cumulative sizes over the price: bids fall toward the best bid, asks rise from the best ask. */
export function depthOf(
  bids: readonly LadderLevel[],
  asks: readonly LadderLevel[],
): { readonly prices: number[]; readonly series: ChartSeries[] } {
  const levels = [
    ...bids.toReversed().map((level) => ({ level, isBid: true })),
    ...asks.map((level) => ({ level, isBid: false })),
  ];
  const side = (isBid: boolean): Pick<ChartSeries, "values" | "texts"> => ({
    values: levels.map((one) => (one.isBid === isBid ? toPixelNumber(one.level.cumulated) : null)),
    texts: levels.map((one) => (one.isBid === isBid ? one.level.cumulated : null)),
  });
  return {
    prices: levels.map(({ level }) => toPixelNumber(level.price) ?? 0),
    series: [
      { label: "Bids", color: "up", kind: "steps-before", ...side(true) },
      { label: "Asks", color: "down", kind: "steps-after", ...side(false) },
    ],
  };
}

/** The smallest step between neighbouring prices of a ladder: the tick, as far as the book shows it. */
export function tickOf(prices: readonly string[]): string | null {
  let least: { units: bigint; scale: number } | undefined;
  for (const [index, text] of prices.entries()) {
    const [here, next] = [parseDecimal(text), parseDecimal(prices[index + 1] ?? "")];
    if (!here || !next) continue;
    const step = addDecimals(here, { ...next, units: -next.units });
    const size = { units: step.units < 0n ? -step.units : step.units, scale: step.scale };
    if (size.units === 0n) continue;
    if (!least || addDecimals(size, { ...least, units: -least.units }).units < 0n) least = size;
  }
  return least ? printDecimal(least, true) : null;
}

/** The imbalance in percent, digit for digit: rounded, a small one below zero would be −0. */
export const imbalanceOf = ({ imbalance }: Pick<BookRow, "imbalance">): string | null =>
  imbalance === null ? null : toPercent(imbalance);
