import { z } from "zod";
import { microText } from "../../../definition/value-text.ts";

/** A ticker or an id: short, non-empty text. */
export const name = z.string().min(1).max(200);

/** A fixed-point amount as text, e.g. "444.32" contracts; never a float. */
export const amount = z.string().regex(/^-?\d{1,12}(\.\d{1,6}0*)?$/, "not a fixed-point amount");

/** The same of contracts that exist or were traded: never below zero. */
export const quantity = amount.regex(/^\d/, "below zero");

/** Dollars per contract as text, 0 to 1. */
export const dollars = z.string().regex(/^(0(\.\d{1,6}0*)?|1(\.0+)?)$/, "not a price of 0 to 1 dollars");

/** The same in whole cents: the schema before 2026-03. */
export const cents = z.int().min(0).max(100);

/** Whole contracts: the schema before 2026-03. */
export const contracts = z.int().min(0).max(999_999_999_999);

/** RFC 3339 with any number of fractional digits. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/, "not an RFC 3339 timestamp")
  .refine((text) => !Number.isNaN(Date.parse(text)), "not a valid calendar time");

/** Ends a walk if null, absent or empty. */
export const pageCursor = z.string().max(4096).nullish();

/** A refinement: each quantity is present under its current name or its older one. */
export function eachUnder(pairs: readonly (readonly [string, string])[]) {
  return (reply: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    for (const [now, then] of pairs) {
      if (reply[now] === undefined && reply[then] === undefined) {
        context.addIssue({ code: "custom", path: [now], message: `neither ${now} nor ${then} is present` });
      }
    }
  };
}

const CENT = 10_000n;
const UNIT = 1_000_000n;

/** Dollars as decimal text: text is already in dollars, an integer is the older schema's cents. */
export function toDollars(value: string | number | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return microText(typeof value === "number" ? BigInt(value) * CENT : toMicro(value));
}

/** Contracts as decimal text: an integer is the older schema's contracts. */
export function toContracts(value: string | number | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return microText(typeof value === "number" ? BigInt(value) * UNIT : toMicro(value));
}

/** A quote: null for an empty side, which Kalshi sends as 0 or 1 (an order's price is strictly between). */
export function toQuote(value: string | number | null | undefined): string | null {
  const price = toDollars(value);
  return price === "0" || price === "1" ? null : price;
}

const FORM = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;
const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(2299, 11, 31);

/**
 * RFC 3339 → "YYYY-MM-DDThh:mm:ss.ffffffZ", which sorts as text. Null if absent, for Go's zero time (year 1) and for
 * times the store cannot hold.
 */
export function toTimestamp(text: string | null | undefined): string | null {
  const match = FORM.exec(text ?? "");
  if (!match) return null;
  const [, clock = "", fraction = "", zone = "Z"] = match;
  const value = Date.parse(clock + zone);
  if (!(value >= EARLIEST && value < LATEST)) return null;
  return `${new Date(value).toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, "0")}Z`;
}

/** Unix seconds → the same form. */
export function timestampOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.000000Z`;
}

/** A Unix millisecond that the store holds. */
export const millis = z.int().positive().max(LATEST);

/** Whole Unix seconds of a timestamp in any RFC 3339 form. */
export function secondsOf(text: string): number {
  return Math.floor(Date.parse(text) / 1000);
}

/** Exact decimal text of at most six places → millionths. Throws a RangeError for anything else. */
export function toMicro(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,6})0*)?$/.exec(text);
  if (!match) throw new RangeError(`not a decimal of six places: ${text.slice(0, 40)}`);
  const [, sign, whole = "", fraction = ""] = match;
  const value = BigInt(whole + fraction.padEnd(6, "0"));
  return sign === "-" ? -value : value;
}
