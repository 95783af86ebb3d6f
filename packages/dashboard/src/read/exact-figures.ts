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

const rescaled = (one: ExactDecimal, scale: number): bigint => one.units * 10n ** BigInt(scale - one.scale);

/** The exact sum, at the finer of both scales. */
export function addDecimals(left: ExactDecimal, right: ExactDecimal): ExactDecimal {
  const scale = Math.max(left.scale, right.scale);
  return { units: rescaled(left, scale) + rescaled(right, scale), scale };
}

/** The decimal as text, with as many places as its scale, or without trailing zeros if `isShort`. */
export function printDecimal({ units, scale }: ExactDecimal, isShort = false): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const places = digits.slice(digits.length - scale);
  const fraction = isShort ? places.replace(/0+$/, "") : places;
  return `${units < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/** A share of one (0.1817) in percent (18.17), digit for digit; anything else as it is. */
export function toPercent(share: string): string {
  const found = parseDecimal(share);
  if (found === undefined) return share;
  const scale = Math.max(2, found.scale);
  return printDecimal({ units: rescaled(found, scale), scale: scale - 2 });
}

const PLAIN = /^(-?)(\d+)(\.\d+)?$/;
const THIN_MINUS = "−";

/** A decimal string with its thousands grouped, digits unchanged; anything else as it is. */
export function groupDecimal(text: string): string {
  const found = PLAIN.exec(text);
  if (!found) return text;
  const [, sign = "", whole = "", fraction = ""] = found;
  return `${sign === "" ? "" : THIN_MINUS}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${fraction}`;
}

const PLACES = 6;

/**
 * A figure for display. Decimal strings keep every digit, grouped; JSON numbers, which are binary already, are shown to
 * six places; null is a dash.
 */
export function showFigure(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "string") return groupDecimal(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number") return JSON.stringify(value);
  if (!Number.isFinite(value)) return "–";
  // From 1e21 on toFixed prints an exponent; such a float is a whole number.
  if (Math.abs(value) >= 1e21) return groupDecimal(String(BigInt(value)));
  const short = value.toFixed(PLACES).replace(/\.?0+$/, "");
  return groupDecimal(short === "-0" ? "0" : short);
}

/** A figure as a float, for drawing only: binary rounding is far below a pixel. */
export function toPixelNumber(value: unknown): number | null {
  if (value === null || value === undefined || value === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
