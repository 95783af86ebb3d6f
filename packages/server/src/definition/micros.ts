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

/** The exact sum of two amounts in millionths: a number where that is lossless, else a bigint. */
export function addMicros(a: number | bigint, b: number | bigint): number | bigint {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return narrowed(BigInt(a) + BigInt(b));
}

export function lessMicros(a: number | bigint, b: number | bigint): number | bigint {
  if (typeof a === "number" && typeof b === "number") {
    const rest = a - b;
    if (Number.isSafeInteger(rest)) return rest;
  }
  return narrowed(BigInt(a) - BigInt(b));
}

/** Converts to a number where that is lossless. */
export function narrowed(value: bigint): number | bigint {
  const number = Number(value);
  // A bigint outside the safe range never rounds into it.
  return Number.isSafeInteger(number) ? number : value;
}

const HALF = 2 ** 32;

/** Parses a whole number from decimal text exactly: a number where that is lossless, else a bigint. */
export function wholeMicrosOf(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** The same from a little-endian Int64. */
export function microsAt(view: DataView, place: number): number | bigint {
  const number = view.getInt32(place + 4, true) * HALF + view.getUint32(place, true);
  return Number.isSafeInteger(number) ? number : view.getBigInt64(place, true);
}

/** Up to this size a floored quotient of rounded doubles is off by at most 1. */
const MAX_QUOTIENT = 2 ** 51;
/** Up to this size a remainder that is off by one divisor is exact. */
const MAX_DIVISOR = 2 ** 52;
/** Splits a double into two halves whose products are exact (Veltkamp). */
const SPLITTER = 2 ** 27 + 1;

/** a·b/c rounded down, exactly, for whole numbers with b ≥ 0 and c > 0: a number where lossless, else a bigint. */
export function mulDivFloor(a: number | bigint, b: number | bigint, c: number | bigint): number | bigint {
  if (typeof a === "number" && typeof b === "number" && typeof c === "number") {
    const product = a * b;
    // With an exact product, a non-integer quotient is at least 1/c from any whole number, farther than the rounding
    // error. Adding 0 turns −0 into 0.
    if (Number.isSafeInteger(product)) return Math.floor(product / c) + 0;
    const near = Math.floor(product / c);
    if (c <= MAX_DIVISOR && Math.abs(near) <= MAX_QUOTIENT) return corrected(a, b, c, near);
  }
  return flooredBig(BigInt(a) * BigInt(b), BigInt(c));
}

/** Corrects `near` by at most 1 from the remainder a·b − near·c: the rounded products' difference plus its error. */
function corrected(a: number, b: number, c: number, near: number): number {
  const [product, back] = [a * b, near * c];
  const rest = product - back + (errorOf(a, b, product) - errorOf(near, c, back));
  return rest < 0 ? near - 1 : rest >= c ? near + 1 : near;
}

/** a·b minus its rounded double (Dekker): exact if no half-product loses bits, as for whole numbers below 2^53. */
function errorOf(a: number, b: number, product: number): number {
  const [spreadA, spreadB] = [SPLITTER * a, SPLITTER * b];
  const highA = spreadA - (spreadA - a);
  const highB = spreadB - (spreadB - b);
  const [lowA, lowB] = [a - highA, b - highB];
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
}

function flooredBig(product: bigint, c: bigint): number | bigint {
  const quotient = product / c;
  return narrowed(product < 0n && quotient * c !== product ? quotient - 1n : quotient);
}
