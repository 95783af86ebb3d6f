/** An integer in units of 10^-`places` as a decimal string without trailing zeros. */
export function decimalText(parts: bigint, places: number): string {
  return trimmed(fixedText(parts, places));
}

/** A decimal string without trailing zeros. */
export const trimmed = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

/** The same with all its decimals. */
export function fixedText(parts: bigint, places: number): string {
  const digits = String(parts < 0n ? -parts : parts).padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  return `${parts < 0n ? "-" : ""}${whole}${places === 0 ? "" : `.${digits.slice(digits.length - places)}`}`;
}

/** Rounds units of 10^-`held` to units of 10^-`places` (fewer); halves away from zero, as the engine does. */
export function roundedParts(parts: bigint, held: number, places: number): bigint {
  const unit = 10n ** BigInt(held - places);
  const half = unit / 2n;
  return (parts < 0n ? parts - half : parts + half) / unit;
}

const MICRO_PLACES = 6;
const POWERS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000] as const;

/** A safe number of millionths rounded to `places` (up to six) decimals, all printed: the same as for bigints. */
export function fixedMicros(micros: number, places: number): string {
  const [unit, scale] = [POWERS[MICRO_PLACES - places] ?? 1, POWERS[places] ?? 1];
  const size = Math.abs(micros);
  // Adding half a unit to `size` could exceed the safe integers.
  const rest = size % unit;
  const parts = (size - rest) / unit + (rest > 0 && rest * 2 >= unit ? 1 : 0);
  const whole = Math.floor(parts / scale);
  const sign = micros < 0 && parts > 0 ? "-" : "";
  return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${String(parts - whole * scale).padStart(places, "0")}`;
}
