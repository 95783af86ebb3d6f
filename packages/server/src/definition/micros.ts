import { narrowed } from "./add-micros.ts";

/** Money in millionths: a number where 0 ≤ micros < 2^53 - 1, else a bigint. For signed columns see signedMicros. */
export type Micros = number | bigint;

const POINT = 46;
const ZERO = 48;
const PLACES = 6;

/** Decimal text of up to six places in millionths, exactly. */
export function microsOf(text: string): Micros {
  let [value, places] = [0, -1];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === POINT && places === -1 && at > 0) {
      places = 0;
      continue;
    }
    const digit = code - ZERO;
    if (digit < 0 || digit > 9) return anyMicros(text);
    value = value * 10 + digit;
    if (places >= 0) places += 1;
  }
  if (text === "" || places === 0 || places > PLACES) return anyMicros(text);
  value *= 10 ** (PLACES - Math.max(0, places));
  // A value that ever exceeded the safe range is still outside it.
  return value < Number.MAX_SAFE_INTEGER ? value : anyMicros(text);
}

function anyMicros(text: string): Micros {
  const match = /^(-?\d+)(?:\.(\d{1,6}))?$/.exec(text);
  if (match === null) throw new TypeError(`${text} is not a decimal number of up to six places`);
  return plainMicros(BigInt(`${match[1]}${(match[2] ?? "").padEnd(PLACES, "0")}`));
}

/** The canonical form of an amount, so that equal amounts are equal values. */
export const plainMicros = (micros: bigint): Micros =>
  micros >= 0n && micros < BigInt(Number.MAX_SAFE_INTEGER) ? Number(micros) : micros;

const SIGNED_END = 2n ** 52n;

/** The canonical form of an amount in a signed column: a number where twice its magnitude is exact. */
export const signedMicros = (micros: bigint): Micros =>
  micros > -SIGNED_END && micros < SIGNED_END ? Number(micros) : micros;

/** An amount of either sign as a number where that is exact. */
export const exactMicros = (micros: Micros): Micros => (typeof micros === "bigint" ? narrowed(micros) : micros);
