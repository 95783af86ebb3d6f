/** So many parts of ten to the power of `places` as a decimal string without trailing zeros. */
export function decimalText(parts: bigint, places: number): string {
  const text = fixedText(parts, places);
  return places === 0 ? text : text.replace(/\.?0+$/, "");
}

/** The same with all its places. */
export function fixedText(parts: bigint, places: number): string {
  const digits = String(parts < 0n ? -parts : parts).padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  return `${parts < 0n ? "-" : ""}${whole}${places === 0 ? "" : `.${digits.slice(digits.length - places)}`}`;
}

/** Parts of ten to the power of `held` in those of `places`, fewer; halves go away from zero, as the engine rounds decimals. */
export function roundedParts(parts: bigint, held: number, places: number): bigint {
  const unit = 10n ** BigInt(held - places);
  const half = unit / 2n;
  return (parts < 0n ? parts - half : parts + half) / unit;
}
