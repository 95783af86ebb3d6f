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

const MILLION = 1_000_000;

/** Millionths as a decimal string without trailing zeros, as money columns are sent: 1500000n is "1.5". */
export function microText(micro: bigint): string {
  if (micro === 0n) return "0";
  const sign = micro < 0n ? "-" : "";
  const size = micro < 0n ? -micro : micro;
  // Numbers are several times as fast as bigints, and exact within the safe range.
  const number = Number(size);
  const part = Number.isSafeInteger(number) ? number % MILLION : Number(size % 1_000_000n);
  const whole = Number.isSafeInteger(number) ? (number - part) / MILLION : size / 1_000_000n;
  return part === 0 ? `${sign}${whole}` : `${sign}${whole}.${fraction(part)}`;
}

function fraction(part: number): string {
  let [rest, digits] = [part, 6];
  while (rest % 10 === 0) [rest, digits] = [rest / 10, digits - 1];
  return String(rest).padStart(digits, "0");
}

// JSON printing of floats and texts, identical to the engine's.

/** A float in the fewest digits that identify it; null where not finite. */
export function floatText(value: number): string {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? String(value).replace("e+", "e") : "null";
}

/** A text as a JSON string: the engine writes hex escapes in upper case, and escapes U+2028 and U+2029. */
export const jsonText = (text: string): string => (PLAIN.test(text) ? `"${text}"` : escaped(text));

/** Only characters that need no escaping. */
export const PLAIN = /^[ !#-[\]-~]*$/;

const escaped = (text: string): string =>
  JSON.stringify(text).replace(/\\(?:u00[01][0-9a-f]|.)|[\u2028\u2029]/g, (found) => {
    if (found.length > 2) return `\\u${found.slice(2).toUpperCase()}`;
    return found.length === 2 ? found : `\\u${found.charCodeAt(0).toString(16)}`;
  });

/** Whether a spreadsheet would run the text as a formula, by OWASP's list. */
export const isFormula = (text: string): boolean => /^[\s\0]*[=+\-@\t\r\n|%]/u.test(text);
