import { readDecimal } from "./read-decimal.ts";
import { toMicro } from "./to-micro.ts";

/** The product of two decimals in millionths, rounded once, at the end. Throws RangeError. */
export function productMicro(left: string | number, right: string | number): bigint {
  const a = readDecimal(left);
  const b = readDecimal(right);
  return toMicro({ digits: a.digits * b.digits, places: a.places + b.places });
}
