import type { Column } from "../../definition/column.ts";
import { decimalText, fixedText } from "../../definition/decimal-text.ts";
import type { MadeValue } from "../../definition/served-buckets.ts";
import { jsonText } from "./put-value.ts";

const MICRO_PLACES = 6;
const MICROS = 1_000_000;

type Row = Readonly<Record<string, Column>>;
type Print = (value: NonNullable<MadeValue>) => string;

type PrintRow = (values: Readonly<Record<string, MadeValue>>) => string;

const printers = { raw: new WeakMap<Row, PrintRow>(), typed: new WeakMap<Row, PrintRow>() };

/** Prints rows of values made here as the engine prints those of the query, in raw or in typed. */
export function printerOf(row: Row, format: "raw" | "typed"): PrintRow {
  const known = printers[format].get(row) ?? makePrinter(row, format);
  printers[format].set(row, known);
  return known;
}

function makePrinter(row: Row, format: "raw" | "typed"): PrintRow {
  const fields = Object.entries(row).map(([name, column]) => {
    const print = printOf(column, format);
    return { name, head: `${JSON.stringify(name)}:`, print };
  });
  return (values) => {
    const parts = fields.map(({ name, head, print }) => {
      const value = values[name];
      if (value === undefined) throw new TypeError(`${name} is not made`);
      return head + (value === null ? "null" : print(value));
    });
    return `{${parts.join(",")}}`;
  };
}

function printOf({ wire }: Column, format: "raw" | "typed"): Print {
  if (wire === "iso") return (value) => `"${momentText(value)}"`;
  if (wire === "int") return String;
  if (wire === "id" || wire === "text") return (value) => jsonText(String(value));
  if (wire === "num") return (value) => decimalText(...scaled(value));
  const places = Number(/^dec\((\d+)\)$/.exec(wire)?.[1]);
  if (Number.isNaN(places)) throw new TypeError(`values of kind ${wire} are not made here`);
  return format === "raw"
    ? (value) => `"${fixedText(rounded(value, places), places)}"`
    : (value) => decimalText(rounded(value, places), places);
}

/** A moment in ISO-8601. */
function momentText(value: NonNullable<MadeValue>): string {
  if (typeof value !== "object" || !("micros" in value)) return `${secondText(Number(value))}Z`;
  const seconds = Math.floor(value.micros / MICROS);
  return `${secondText(seconds)}.${String(value.micros - seconds * MICROS).padStart(MICRO_PLACES, "0")}Z`;
}

const secondText = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19);

function scaled(value: NonNullable<MadeValue>): [parts: bigint, places: number] {
  if (typeof value === "object" && "micros" in value) throw new TypeError("a moment is no amount");
  return typeof value === "object" ? [value.parts, value.places] : [BigInt(value), MICRO_PLACES];
}

/** Halves go away from zero. */
function rounded(value: NonNullable<MadeValue>, places: number): bigint {
  const [parts, held] = scaled(value);
  return held === places ? parts : roundedParts(parts, held, places);
}

/** Parts of ten to the power of `held` in those of `places`, fewer. */
function roundedParts(parts: bigint, held: number, places: number): bigint {
  const unit = 10n ** BigInt(held - places);
  const half = unit / 2n;
  return (parts < 0n ? parts - half : parts + half) / unit;
}
