import { jsonText } from "../../definition/value-text.ts";
import type { Format } from "../../definition/column.ts";
import type { ServedField, ServedRow, ServedTest } from "../../definition/served-dataset.ts";
import type { Column } from "../../serving/layout.ts";
import type { Micros } from "../../definition/micros.ts";
import type { RowView } from "../../serving/row-view.ts";
import type { ServingReader } from "../../serving/reader.ts";
import type { Rows } from "../../serving/rows.ts";
import { tokenOfBytes } from "../../definition/bytes.ts";
import {
  ISO_BYTES,
  MAX_NUMBER,
  putFew,
  putFloat,
  putHex,
  ISO_PARTS_BYTES,
  mostOfList,
  mostOfText,
  putIso,
  putIsoParts,
  putJson,
  putList,
  putProduct,
  putMicros,
  putText,
  putWhole,
} from "./put-value.ts";
import { oneTest } from "./row-tests.ts";

/** Writes the bytes of a row's value at an offset, and returns the offset after them. */
type Put = (out: Buffer, at: number, rows: Rows, row: number) => number;

/** The parts that make up a row of an answer, in order. */
export type Part =
  /** The same in every row. */
  | { readonly same: string }
  /** The same in every row of a token: one of its attributes, or its id (undefined). */
  | { readonly ofToken: string | undefined }
  /** Of fixed width in every row, so the constant text around it reserves its space. */
  | { readonly width: number; readonly put: Put }
  | Variable;

/** Of variable length: at most `most` bytes plus `sizeOf` the row. */
export type Variable = {
  readonly most: number;
  readonly put: Put;
  readonly sizeOf?: (rows: Rows, row: number) => number;
};

type Held = ServingReader;

const NULL = Buffer.from("null");
const UNDERSCORE = 95;
/** Decimal digits of a 256-bit integer. */
const MAX_DIGITS = 78;
const ZERO_X = Buffer.from("0x");

/** The parts of an answer field in a format, quotes included. */
export function partsOf(held: Held, view: RowView, field: ServedField, form: Format): readonly Part[] {
  if ("typed" in field) return partsOf(held, view, field[form], form);
  if ("json" in field) return [jsonPart(rowOf(held, view), view, field.json)];
  if ("ofToken" in field) return [{ ofToken: field.ofToken }];
  if ("ratio" in field) return [ratioPart(held, field.ratio)];
  if ("pair" in field) return quoted(pairPart(held, view, field));
  if ("product" in field) return [productPart(held, field.product)];
  if ("met" in field) {
    const [first, second] = [field.met, field.unmet].map((one) => asOne(partsOf(held, view, one, form)));
    return [either(first as Variable, second as Variable, testing(held, view, field.where))];
  }
  const column = held.layout.column(field.column);
  if ("times" in field) return [moneyPart(column, field.times)];
  const parts = columnParts(column);
  if (field.nullIf === undefined) return parts;
  return [either(asOne([{ same: "null" }]), asOne(parts), testing(held, view, field.nullIf))];
}

function testing(held: Held, view: RowView, where: ServedTest): (rows: Rows, row: number) => boolean {
  const test = oneTest(held, where);
  return (rows, row) => test(view.move(rows, row));
}

const quoted = (part: Part): readonly Part[] => [{ same: '"' }, part, { same: '"' }];

function columnParts({ at: column, kind, width, values, name, list }: Column): readonly Part[] {
  if (list === "tokens") throw new TypeError(`${name}: tokens are not answered as they are`);
  if (kind === "integer") return quoted({ most: MAX_DIGITS, put: integerPut(column, width) });
  if (width > 0) return quoted({ width: 2 + width * 2, put: hexPut(column, width) });
  if (kind === "token") return quoted({ ofToken: undefined });
  if (kind === "seconds")
    return quoted({ width: ISO_BYTES, put: (out, at, rows, row) => putIso(out, at, rows.number(column, row)) });
  if (kind === "count")
    return [{ most: MAX_NUMBER, put: (out, at, rows, row) => putWhole(out, at, rows.number(column, row)) }];
  if (values.length > 0) {
    const words = values.map((value) => Buffer.from(kind === "flag" ? value : jsonText(value)));
    const most = Math.max(...words.map(({ length }) => length));
    return [{ most, put: (out, at, rows, row) => putFew(out, at, words[rows.number(column, row)] as Buffer) }];
  }
  if (kind === "millis" || kind === "micros") {
    const perSecond = kind === "millis" ? 1000 : 1_000_000;
    return quoted({
      width: ISO_PARTS_BYTES[perSecond],
      put: (out, at, rows, row) => putIsoParts(out, at, rows.number(column, row), perSecond),
    });
  }
  if (kind === "text") {
    const textAt = (rows: Rows, row: number): string => rows.textsOf(column)[row] as string;
    if (list !== undefined) {
      const sizeOf: Variable["sizeOf"] = (rows, row) => mostOfList(textAt(rows, row));
      return [{ most: 0, sizeOf, put: (out, at, rows, row) => putList(out, at, textAt(rows, row)) }];
    }
    return [
      {
        most: 0,
        sizeOf: (rows, row) => mostOfText(textAt(rows, row)),
        put: (out, at, rows, row) => putJson(out, at, textAt(rows, row)),
      },
    ];
  }
  return [moneyPart({ at: column, kind, name }, 1)];
}

function moneyPart({ at: column, kind, name }: Pick<Column, "at" | "kind" | "name">, times: number): Part {
  if (kind !== "money") throw new TypeError(`${name}: a ${kind} is not answered as an amount`);
  const put: Put = (out, at, rows, row) => {
    const micros = rows.micros(column, row);
    if (micros === null) return putFew(out, at, NULL);
    const isExact = typeof micros === "number" && micros * times <= Number.MAX_SAFE_INTEGER;
    return putMicros(out, at, isExact ? micros * times : BigInt(micros) * BigInt(times));
  };
  return { most: MAX_NUMBER, put };
}

function productPart({ layout }: Held, names: readonly [string, string]): Part {
  const [a, b] = names.map((each) => layout.column(each)) as [Column, Column];
  if ([a, b].some(({ kind, isNullable }) => kind !== "money" || isNullable))
    throw new TypeError(`${names.join(" and ")} are not multiplied`);
  const put: Put = (out, at, rows, row) =>
    putProduct(out, at, rows.micros(a.at, row) as Micros, rows.micros(b.at, row) as Micros);
  return { most: 2 * MAX_NUMBER, put };
}

const hexPut =
  (column: number, width: number): Put =>
  (out, at, rows, row) =>
    putHex(out, putFew(out, at, ZERO_X), rows.bytes[column] as Buffer, rows.bytesAt(column, row), width);

/** Caches the decimals of the last integer: rows of one key share it. */
function integerPut(column: number, width: number): Put {
  let [known, text] = [Buffer.alloc(0), ""];
  return (out, at, rows, row) => {
    const from = rows.bytesAt(column, row);
    const bytes = (rows.bytes[column] as Buffer).subarray(from, from + width);
    if (!bytes.equals(known)) [known, text] = [Buffer.from(bytes), tokenOfBytes(bytes)];
    return putText(out, at, text);
  };
}

/** An amount as a float, rounded as the engine does: the millionths become a float before the division. */
function microsOf(rows: Rows, column: number, row: number): number {
  const micros = rows.number(column, row);
  return Number.isNaN(micros) ? Number(rows.largeAt(column, row)) : micros;
}

function ratioPart({ layout }: Held, [over, under]: readonly [string, string]): Part {
  const [a, b] = [layout.column(over).at, layout.column(under).at];
  const put: Put = (out, at, rows, row) => {
    const divisor = microsOf(rows, b, row);
    return putFloat(out, at, divisor === 0 ? 0 : microsOf(rows, a, row) / divisor);
  };
  return { most: MAX_NUMBER, put };
}

const rowOf = ({ layout }: Held, view: RowView): ServedRow => ({
  value: (name) => view.value(layout.column(name)),
  micros: (name) => view.micros(layout.column(name)),
});

/** `sizeOf` is called just before `put` for the same row, so the text is made once for both. */
function jsonPart(reported: ServedRow, view: RowView, make: (row: ServedRow) => string): Part {
  let [rowsOfMade, rowOfMade, made]: [Rows | undefined, number, string] = [undefined, 0, ""];
  const of = (rows: Rows, row: number): string => {
    if (rows !== rowsOfMade || row !== rowOfMade) {
      view.move(rows, row);
      [rowsOfMade, rowOfMade, made] = [rows, row, make(reported)];
    }
    return made;
  };
  return {
    most: 0,
    sizeOf: (rows, row) => Buffer.byteLength(of(rows, row)),
    put: (out, at, rows, row) => at + out.write(of(rows, row), at),
  };
}

function pairPart(held: Held, view: RowView, { pair, instead }: Extract<ServedField, { pair: unknown }>): Part {
  const [first, second] = [held.layout.column(pair[0]), held.layout.column(pair[1])];
  const [putFirst, putSecond] = [hexPut(first.at, first.width), hexPut(second.at, second.width)];
  const isInstead = instead && oneTest(held, instead.where);
  const length = 2 + second.width * 2;
  const reported = rowOf(held, view);
  const put: Put = (out, at, rows, row) => {
    const behind = putFirst(out, at, rows, row);
    out[behind] = UNDERSCORE;
    if (instead === undefined || isInstead?.(view.move(rows, row)) !== true)
      return putSecond(out, behind + 1, rows, row);
    const hex = instead.hex(reported);
    if (hex.length !== length) throw new TypeError(`${hex} stands for ${length} characters`);
    return behind + 1 + out.write(hex, behind + 1, "latin1");
  };
  return { width: 2 + first.width * 2 + 1 + length, put };
}

/** Combines parts into one of variable length. */
function asOne(parts: readonly Part[]): Variable {
  const puts = parts.map((part): Put => {
    if ("put" in part) return part.put;
    if (!("same" in part)) throw new TypeError("token data does not depend on a test of the row");
    const bytes = Buffer.from(part.same);
    return (out, at) => putFew(out, at, bytes);
  });
  const most = parts.reduce((sum, part) => sum + mostOf(part), 0);
  const sizes = parts.map((part) => ("sizeOf" in part ? part.sizeOf : undefined)).filter((one) => one !== undefined);
  const put: Put = (out, at, rows, row) => {
    let to = at;
    for (const each of puts) to = each(out, to, rows, row);
    return to;
  };
  if (sizes.length === 0) return { most, put };
  return { most, put, sizeOf: (rows, row) => sizes.reduce((sum, sizeOf) => sum + sizeOf(rows, row), 0) };
}

function either(first: Variable, second: Variable, isFirst: (rows: Rows, row: number) => boolean): Variable {
  const most = Math.max(first.most, second.most);
  const put: Put = (out, at, rows, row) => (isFirst(rows, row) ? first : second).put(out, at, rows, row);
  if (first.sizeOf === undefined && second.sizeOf === undefined) return { most, put };
  return { most, put, sizeOf: (rows, row) => (isFirst(rows, row) ? first : second).sizeOf?.(rows, row) ?? 0 };
}

const mostOf = (part: Part): number => {
  if ("same" in part) return Buffer.byteLength(part.same);
  return "most" in part ? part.most : "width" in part ? part.width : 0;
};
