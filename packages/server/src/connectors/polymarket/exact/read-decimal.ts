/** A decimal as an integer and how many of its digits stand after the point: 12.5 is { digits: 125n, places: 1 }. */
export type ExactDecimal = { readonly digits: bigint; readonly places: number };

const DECIMAL = /^(-?)(\d{1,40})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Reads a decimal without a float in between. A JSON number has lost its text by the time we see it; its shortest
 * decimal form (what `String` gives) is the one that was sent, as long as it had at most 15 digits, so that is read.
 * Throws RangeError for anything that is not a plain decimal.
 */
export function readDecimal(value: string | number): ExactDecimal {
  const match = DECIMAL.exec(String(value).trim());
  if (match === null) throw new RangeError(`not a decimal: ${String(value).slice(0, 80)}`);
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] = match;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const places = fraction.length - Number(exponent);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}
