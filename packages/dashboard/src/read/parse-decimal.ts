/** A decimal as a whole number of units of 10^-scale. */
export type ExactDecimal = { readonly units: bigint; readonly scale: number };

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Parses a decimal string without rounding; undefined if it is not one (an exponent, "NaN", ""). */
export function parseDecimal(text: string): ExactDecimal | undefined {
  const found = DECIMAL.exec(text.trim());
  if (!found) return undefined;
  const [, sign = "", whole = "0", fraction = ""] = found;
  const units = BigInt(whole + fraction);
  return { units: sign === "-" ? -units : units, scale: fraction.length };
}
