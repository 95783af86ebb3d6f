import type { MadeValue } from "./served-buckets.ts";

const PLACES = 12;
const MILLION = 1_000_000n;

/**
 * Divides an amount in millionths by a number in units of 1/`unit`, truncated to twelve decimals, as the engine
 * divides; null for division by 0.
 */
export function quotient(over: number | bigint, under: number | bigint, unit: bigint): Quotient | null {
  const divisor = BigInt(under);
  return divisor === 0n ? null : { parts: (BigInt(over) * MILLION * unit) / divisor, places: PLACES };
}

type Quotient = Extract<MadeValue, { parts: bigint }>;

/** The same in percent. */
export const inPercent = (value: Quotient | null): Quotient | null => value && { ...value, parts: value.parts * 100n };
