import { parseTimestamp } from "../../../definition/timestamp.ts";

/** A decimal as an integer and its number of digits after the point: 12.5 is { digits: 125n, places: 1 }. */
type ExactDecimal = { readonly digits: bigint; readonly places: number };

const DECIMAL = /^(-?)(\d{1,40})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Reads a decimal without a float in between. A parsed JSON number has lost its text; its shortest decimal form (from
 * `String`) is the one that was sent, as long as it had at most 15 digits, so that is read. Throws RangeError for
 * anything that is not a plain decimal.
 */
function readDecimal(value: string | number): ExactDecimal {
  const match = DECIMAL.exec(String(value).trim());
  if (match === null) throw new RangeError(`not a decimal: ${String(value).slice(0, 80)}`);
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] = match;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const places = fraction.length - Number(exponent);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}

const MICRO_PLACES = 6;

/** Millionths, rounded half away from zero if the value has more than six decimals. Throws RangeError. */
export function toMicro(value: string | number | ExactDecimal): bigint {
  const { digits, places } = typeof value === "object" ? value : readDecimal(value);
  if (places <= MICRO_PLACES) return digits * 10n ** BigInt(MICRO_PLACES - places);
  const unit = 10n ** BigInt(places - MICRO_PLACES);
  const half = digits < 0n ? -unit / 2n : unit / 2n;
  return (digits + half) / unit;
}

/** The product of two decimals in millionths, rounded once, at the end. Throws RangeError. */
export function productMicro(left: string | number, right: string | number): bigint {
  const a = readDecimal(left);
  const b = readDecimal(right);
  return toMicro({ digits: a.digits * b.digits, places: a.places + b.places });
}

/** Unix seconds as `2026-01-02T03:04:05Z`. */
export const isoSeconds = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;

/** Last second that a stored whole-second timestamp can hold. */
const LAST_SECOND = "2106-01-01T00:00:00Z";

/**
 * A timestamp in any upstream form (`…T…Z`, `2026-07-24 00:00:16+00`, a bare day) as ISO with microseconds or whole
 * seconds; null if missing, unreadable or outside 2010–2100 (Gamma has dates of 2500).
 */
export function timestampIso(text: string | undefined, precision: "micros" | "seconds"): string | null {
  if (text === undefined) return null;
  const read = parseTimestamp(text, "start");
  if (!read.ok) return null;
  const iso = `${read.engineText.slice(0, 10)}T${read.engineText.slice(11)}Z`;
  if (precision === "micros") return iso;
  const seconds = `${iso.slice(0, 19)}Z`;
  return seconds < LAST_SECOND ? seconds : null;
}
