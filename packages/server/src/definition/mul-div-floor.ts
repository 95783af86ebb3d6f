import { narrowed } from "./add-micros.ts";

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
