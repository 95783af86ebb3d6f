import { type ExactDecimal, readDecimal } from "./read-decimal.ts";

const MICRO_PLACES = 6;

/** Millionths, rounded half away from zero where the value has more than six decimals. Throws RangeError. */
export function toMicro(value: string | number | ExactDecimal): bigint {
  const { digits, places } = typeof value === "object" ? value : readDecimal(value);
  if (places <= MICRO_PLACES) return digits * 10n ** BigInt(MICRO_PLACES - places);
  const unit = 10n ** BigInt(places - MICRO_PLACES);
  const half = digits < 0n ? -unit / 2n : unit / 2n;
  return (digits + half) / unit;
}
