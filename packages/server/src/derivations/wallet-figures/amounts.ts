import { lessMicros } from "../../definition/micros.ts";
import { roundedParts } from "../../definition/value-text.ts";
import { quotient, type MadeValue } from "../../definition/served-buckets.ts";
import type { Amount } from "../wallet/folded-wallet.ts";

// Arithmetic as in the engine: exact in millionths, decimals truncated at twelve places, 64-bit floats.

const MILLION = 1_000_000;
/** Decimal places of the engine's quotients of decimals. */
export const QUOTIENT_PLACES = 12;
const FIGURE_PLACES = 6;
/** Floats from here on have no fractional part. */
const WHOLE_FROM = 2 ** 52;

export type Decimal = Extract<MadeValue, { parts: bigint }>;

export const sizeOf = (amount: Amount): Amount => (amount < 0 ? lessMicros(0, amount) : amount);

/** An amount as a float. */
export const realOf = (amount: Amount): number => Number(amount) / MILLION;

export const realOfDecimal = ({ parts, places }: Decimal): number => Number(parts) / 10 ** places;

/** A quotient of amounts, exact to twelve places; null over 0. */
export const ofAmounts = (over: Amount, under: Amount): Decimal | null => quotient(over, under, BigInt(MILLION));

/** A quotient of an amount and a count, exact to twelve places; null over 0. */
export const ofCount = (over: Amount, count: number): Decimal | null => quotient(over, count, 1n);

/** A quotient of two counts, exact to twelve places; null over 0. */
export const ofCounts = (over: number, under: number): Decimal | null => ofCount(over * MILLION, under);

/** A quotient of floats; null over 0. */
export const ratio = (over: number, under: number): number | null => (under === 0 ? null : over / under);

/** Rounds to a number of places as the engine rounds floats: halves go to the even digit. */
export function roundedReal(value: number, places: number): number {
  const scale = 10 ** places;
  return evenHalves(value * scale) / scale;
}

/** The nearest integer; halves go to the even one. */
export function evenHalves(value: number): number {
  if (Math.abs(value) >= WHOLE_FROM) return value;
  const nearest = Math.round(value);
  return nearest - value === 0.5 && nearest % 2 !== 0 ? nearest - 1 : nearest;
}

/** A float as a result field of six places. */
export const figure = (value: number | null): MadeValue =>
  value === null ? null : { real: roundedReal(value, FIGURE_PLACES) };

/** A float as the decimal of twelve places that the engine makes of it, truncated. */
export const decimalOfReal = (value: number | null): Decimal | null =>
  value === null ? null : { parts: BigInt(Math.trunc(value * 10 ** QUOTIENT_PLACES)), places: QUOTIENT_PLACES };

/** A decimal as a result field of six places. */
export const decimalFigure = (value: Decimal | null): MadeValue =>
  value && { parts: roundedParts(value.parts, value.places, FIGURE_PLACES), places: FIGURE_PLACES };
