import type { ExactDecimal } from "./parse-decimal.ts";

const rescaled = (one: ExactDecimal, scale: number): bigint => one.units * 10n ** BigInt(scale - one.scale);

/** The exact sum, at the finer of both scales. */
export function addDecimals(left: ExactDecimal, right: ExactDecimal): ExactDecimal {
  const scale = Math.max(left.scale, right.scale);
  return { units: rescaled(left, scale) + rescaled(right, scale), scale };
}
