import { addDecimals } from "../../read/add-decimals.ts";
import { parseDecimal, type ExactDecimal } from "../../read/parse-decimal.ts";
import { printDecimal } from "../../read/print-decimal.ts";

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
