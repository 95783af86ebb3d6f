import { microText } from "../../../definition/micro-text.ts";

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
