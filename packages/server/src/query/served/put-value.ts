import { dayOfNumber } from "../../definition/day-of.ts";
import { decimalText, floatText, jsonText, PLAIN, microText } from "../../definition/value-text.ts";
import type { Micros } from "../../definition/micros.ts";

// Prints values as JSON the way the engine does. Each function writes bytes at an offset that has room for them, and
// returns the offset after them.

/** Maximum length of a number: 20 digits, a point, a sign, an exponent. */
export const MAX_NUMBER = 32;
export const ISO_BYTES = 20;
/** Length of a timestamp with all decimals, by parts per second. */
export const ISO_PARTS_BYTES = { 1000: 24, 1_000_000: 27 } as const;

const ZERO = 48;
const POINT = 46;
const QUOTE = 34;
const MILLION = 1_000_000;
const PRODUCT_PLACES = 12;
const SQUARE = MILLION * MILLION;
const DAY = 86_400;
/** A hundred years of days. */
const MAX_DATES = 36_525;
const DIGITS = Buffer.from(Array.from({ length: 100 }, (_, value) => String(value).padStart(2, "0")).join(""));
const HEX = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0")).join(""));
/** Parts per unit (four decimals): a float equal to such a number prints as exactly these digits. Most prices do. */
const FEW_PLACES = 10_000;

export function putHex(out: Buffer, at: number, bytes: Buffer, from: number, count: number): number {
  let to = at;
  for (let index = from; index < from + count; index += 1) {
    const place = (bytes[index] as number) * 2;
    out[to] = HEX[place] as number;
    out[to + 1] = HEX[place + 1] as number;
    to += 2;
  }
  return to;
}

/** An ASCII text. */
export function putText(out: Buffer, at: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) out[at + index] = text.charCodeAt(index);
  return at + text.length;
}

/** A few bytes: faster than a copy call. */
export function putFew(out: Buffer, at: number, bytes: Buffer): number {
  for (let index = 0; index < bytes.length; index += 1) out[at + index] = bytes[index] as number;
  return at + bytes.length;
}

/** A whole number of 0 ≤ value < 2^53. */
export function putWhole(out: Buffer, at: number, value: number): number {
  let length = 1;
  for (let end = 10; value >= end; end *= 10) length += 1;
  let rest = value;
  for (let to = at + length - 1; to >= at; to -= 1) {
    const left = Math.floor(rest / 10);
    out[to] = ZERO + rest - left * 10;
    rest = left;
  }
  return at + length;
}

/** Millionths as a number without trailing zeros. */
export function putMicros(out: Buffer, at: number, micros: Micros): number {
  if (typeof micros === "bigint") return putText(out, at, microText(micros));
  const whole = Math.floor(micros / MILLION);
  return putDecimals(out, putWhole(out, at, whole), micros - whole * MILLION, MILLION / 10);
}

/** The decimals of a number: `parts` of a whole of ten times `unit`. */
function putDecimals(out: Buffer, at: number, parts: number, unit: number): number {
  if (parts === 0) return at;
  out[at] = POINT;
  let to = at + 1;
  let [rest, place] = [parts, unit];
  while (rest > 0) {
    const digit = Math.floor(rest / place);
    out[to++] = ZERO + digit;
    rest -= digit * place;
    place /= 10;
  }
  return to;
}

/** The product of two amounts in millionths, a number without trailing zeros. */
export function putProduct(out: Buffer, at: number, a: Micros, b: Micros): number {
  if (typeof a === "number" && typeof b === "number" && a * b <= Number.MAX_SAFE_INTEGER) {
    const whole = Math.floor((a * b) / SQUARE);
    return putDecimals(out, putWhole(out, at, whole), a * b - whole * SQUARE, SQUARE / 10);
  }
  return putText(out, at, decimalText(BigInt(a) * BigInt(b), PRODUCT_PLACES));
}

/** A float in the fewest digits that identify it. */
export function putFloat(out: Buffer, at: number, value: number): number {
  if (value > 0 && value < MILLION) {
    const parts = Math.round(value * FEW_PLACES);
    if (parts / FEW_PLACES === value) {
      const whole = Math.floor(parts / FEW_PLACES);
      return putDecimals(out, putWhole(out, at, whole), parts - whole * FEW_PLACES, FEW_PLACES / 10);
    }
  }
  return putText(out, at, floatText(value));
}

/** Dates by day: formatting one takes as long as the rest of half a row. */
const dates = new Map<number, string>();

function dateOf(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = `${dayOfNumber(day)}T`;
  if (dates.size < MAX_DATES) dates.set(day, date);
  return date;
}

/** Seconds since 1970 as an ISO-8601 timestamp. */
export function putIso(out: Buffer, at: number, seconds: number): number {
  const day = Math.floor(seconds / DAY);
  const second = seconds - day * DAY;
  const minute = Math.floor(second / 60);
  const hour = Math.floor(minute / 60);
  const to = putText(out, at, dateOf(day));
  putTwo(out, to, hour);
  out[to + 2] = 58;
  putTwo(out, to + 3, minute - hour * 60);
  out[to + 5] = 58;
  putTwo(out, to + 6, second - minute * 60);
  out[to + 8] = 90;
  return at + ISO_BYTES;
}

/** Milliseconds or microseconds since 1970 as an ISO-8601 timestamp with all its decimals. */
export function putIsoParts(out: Buffer, at: number, parts: number, perSecond: keyof typeof ISO_PARTS_BYTES): number {
  const seconds = Math.floor(parts / perSecond);
  let to = putIso(out, at, seconds) - 1;
  out[to++] = POINT;
  let [rest, place] = [parts - seconds * perSecond, perSecond / 10];
  for (; place >= 1; place /= 10) {
    const digit = Math.floor(rest / place);
    out[to++] = ZERO + digit;
    rest -= digit * place;
  }
  out[to] = 90;
  return at + ISO_PARTS_BYTES[perSecond];
}

function putTwo(out: Buffer, at: number, value: number): void {
  out[at] = DIGITS[value * 2] as number;
  out[at + 1] = DIGITS[value * 2 + 1] as number;
}

/** Maximum number of bytes of a text as a JSON string. */
export const mostOfText = (text: string): number => text.length * 6 + 2;

/** A text as a JSON string; the caller has made room for it. */
export function putJson(out: Buffer, at: number, text: string): number {
  if (!PLAIN.test(text)) return at + out.write(jsonText(text), at);
  out[at] = QUOTE;
  const to = at + 1 + out.write(text, at + 1, "latin1");
  out[to] = QUOTE;
  return to + 1;
}

/** Maximum number of bytes of a list of numbers as an array of strings. */
export const mostOfList = (items: string): number => items.length * 3 + 4;

/** Comma-separated numbers as an array of strings; the caller has made room for them. */
export const putList = (out: Buffer, at: number, items: string): number =>
  putText(out, at, items === "" ? "[]" : `["${items.replaceAll(",", '","')}"]`);
