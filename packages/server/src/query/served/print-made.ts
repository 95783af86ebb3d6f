import type { Column, Format } from "../../definition/column.ts";
import {
  decimalText,
  fixedMicros,
  fixedText,
  roundedParts,
  trimmed,
  floatText,
  jsonText,
} from "../../definition/value-text.ts";
import type { MadeValue } from "../../definition/served-buckets.ts";

const MICRO_PLACES = 6;
const MICROS = 1_000_000;
const MILLI_PLACES = 3;
const MILLIS = 1_000;

type Row = Readonly<Record<string, Column>>;
type Print = (value: NonNullable<MadeValue>) => string;

type PrintRow = (values: Readonly<Record<string, MadeValue>>) => string;

const printers = { raw: new WeakMap<Row, PrintRow>(), typed: new WeakMap<Row, PrintRow>() };

/** Prints rows of values computed here as the engine prints those of a query, in raw or typed format. */
export function printerOf(row: Row, format: Format): PrintRow {
  const known = printers[format].get(row) ?? makePrinter(row, format);
  printers[format].set(row, known);
  return known;
}

function makePrinter(row: Row, format: Format): PrintRow {
  const fields = Object.entries(row).map(([name, column], index) => {
    const head = `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`;
    return { name, head, print: printOf(column, format) };
  });
  return (values) => {
    let text = "";
    for (const { name, head, print } of fields) {
      const value = values[name];
      if (value === undefined) throw new TypeError(`${name} is not made`);
      text += head + (value === null ? "null" : print(value));
    }
    return `${text}}`;
  };
}

function printOf({ wire }: Column, format: Format): Print {
  if (wire === "iso") return (value) => `"${timestampText(value)}"`;
  if (wire === "int" || wire === "flag") return String;
  if (wire === "id" || wire === "text") return (value) => jsonText(String(value));
  // Lists are already JSON.
  if (wire === "list") return String;
  if (wire === "json string")
    return (value) => {
      if (typeof value === "object" && "printedIn" in value) return value.printedIn(format);
      return format === "raw" ? jsonText(String(value)) : String(value);
    };
  if (wire === "num") return numberText;
  const places = Number(/^dec\((\d+)\)$/.exec(wire)?.[1]);
  if (Number.isNaN(places)) throw new TypeError(`values of kind ${wire} are not made here`);
  // Numbers are several times as fast as bigints.
  const fixed: Print = (value) =>
    typeof value === "number" && places <= MICRO_PLACES
      ? fixedMicros(value, places)
      : fixedText(rounded(value, places), places);
  return format === "raw" ? (value) => `"${fixed(value)}"` : (value) => trimmed(fixed(value));
}

/** A timestamp in ISO-8601. */
function timestampText(value: NonNullable<MadeValue>): string {
  if (typeof value === "object" && "micros" in value) return partsText(value.micros, MICROS, MICRO_PLACES);
  if (typeof value === "object" && "millis" in value) return partsText(value.millis, MILLIS, MILLI_PLACES);
  return `${secondText(Number(value))}Z`;
}

function partsText(parts: number, perSecond: number, places: number): string {
  const seconds = Math.floor(parts / perSecond);
  return `${secondText(seconds)}.${String(parts - seconds * perSecond).padStart(places, "0")}Z`;
}

const DAY = 86_400;
const dates = new Map<number, string>();
const MAX_DATES = 20_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));

function secondText(seconds: number): string {
  const day = Math.floor(seconds / DAY);
  const second = seconds - day * DAY;
  const minute = Math.floor(second / 60);
  const hour = Math.floor(minute / 60);
  return `${dates.get(day) ?? dateOf(day)}${TWO_DIGITS[hour]}:${TWO_DIGITS[minute - hour * 60]}:${TWO_DIGITS[second - minute * 60]}`;
}

/** Caches dates: the days of a page are mostly those of the page before. */
function dateOf(day: number): string {
  const date = new Date(day * DAY * 1000).toISOString().slice(0, 11);
  if (dates.size >= MAX_DATES) dates.clear();
  dates.set(day, date);
  return date;
}

const numberText: Print = (value) =>
  typeof value === "number"
    ? trimmed(fixedMicros(value, MICRO_PLACES))
    : typeof value === "object" && "real" in value
      ? floatText(value.real)
      : decimalText(...scaled(value));

function scaled(value: NonNullable<MadeValue>): [parts: bigint, places: number] {
  if (typeof value !== "object") return [BigInt(value), MICRO_PLACES];
  if (!("parts" in value)) throw new TypeError("a time or a float is no amount");
  return [value.parts, value.places];
}

function rounded(value: NonNullable<MadeValue>, places: number): bigint {
  const [parts, held] = scaled(value);
  return held === places ? parts : roundedParts(parts, held, places);
}
