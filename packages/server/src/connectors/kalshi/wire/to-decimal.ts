import { microText } from "../../../definition/micro-text.ts";
import { toMicro } from "./to-micro.ts";

const CENT = 10_000n;
const UNIT = 1_000_000n;

/** Dollars as decimal text: text is dollars already, a whole number is the older schema's cents. */
export function toDollars(value: string | number | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return microText(typeof value === "number" ? BigInt(value) * CENT : toMicro(value));
}

/** Contracts as decimal text: a whole number is the older schema's contracts. */
export function toContracts(value: string | number | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return microText(typeof value === "number" ? BigInt(value) * UNIT : toMicro(value));
}

/** A quote: null where the side is empty, which Kalshi says as 0 or 1 (an order rests strictly between). */
export function toQuote(value: string | number | null | undefined): string | null {
  const price = toDollars(value);
  return price === "0" || price === "1" ? null : price;
}
