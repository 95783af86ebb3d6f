import type { ExactDecimal } from "./parse-decimal.ts";

/** The decimal as text, with as many places as its scale, or without trailing zeros if `isShort`. */
export function printDecimal({ units, scale }: ExactDecimal, isShort = false): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const places = digits.slice(digits.length - scale);
  const fraction = isShort ? places.replace(/0+$/, "") : places;
  return `${units < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
