import { addDecimals } from "../../read/add-decimals.ts";
import { parseDecimal } from "../../read/parse-decimal.ts";
import { printDecimal } from "../../read/print-decimal.ts";

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
