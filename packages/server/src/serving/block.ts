import { ByteReader, ByteWriter } from "../definition/bytes.ts";
import type { Column, Layout } from "./layout.ts";
import { type Picks, Rows } from "./rows.ts";

/**
 * Layout of a block: number of rows, length of each packed column, the packed columns (varints; all choices of a row
 * are one number), then the byte columns unencoded. The key's column is omitted.
 */
type Shape = {
  readonly layout: Layout;
  readonly packed: readonly Column[];
  readonly choices: readonly Column[];
  readonly raw: readonly Column[];
  readonly key: Column | undefined;
};

export class BlockCodec {
  readonly #shape: Shape;
  readonly #columns = new ByteWriter();

  constructor(layout: Layout, key: Column | undefined) {
    const kept = layout.columns.filter((column) => column !== key);
    const choices = kept.filter(({ values }) => values.length > 0);
    const raw = kept.filter(({ width }) => width > 0);
    const packed = kept.filter(({ values, width }) => width === 0 && values.length === 0);
    this.#shape = { layout, packed, choices, raw, key };
  }

  /** Writes rows from…to of `picks`, which are in order. */
  write(picks: Picks, from: number, to: number, out: ByteWriter): void {
    const { layout, packed, choices, raw } = this.#shape;
    const columns = this.#columns;
    columns.at = 0;
    out.reserveVarints(packed.length + 2);
    out.varint(to - from);
    let start = 0;
    for (const column of packed) {
      if (column.kind === "text") writeTexts(column.at, picks, from, to, columns);
      else writeNumbers(column, column === layout.timestamp.column, picks, from, to, columns);
      out.varint(columns.at - start);
      start = columns.at;
    }
    if (choices.length > 0) writeChoices(choices, picks, from, to, columns);
    out.varint(columns.at - start);
    out.copy(columns.bytes, 0, columns.at);
    for (const column of raw) writeBytes(column, picks, from, to, out);
  }

  /** Reads the blocks of an entry of this key, which follow each other from offset `at` on. */
  read(key: Buffer, bytes: Buffer, at: number): Rows[] {
    const reader = new ByteReader(bytes, at);
    const blocks: Rows[] = [];
    while (reader.at < bytes.length) blocks.push(openBlock(this.#shape, key, reader));
    return blocks;
  }
}

function writeNumbers(
  { at: column, kind, isNear, isSigned: hasSigns }: Column,
  isRising: boolean,
  picks: Picks,
  from: number,
  to: number,
  out: ByteWriter,
): void {
  out.reserveVarints(to - from);
  const isSigned = !isRising && (kind === "seconds" || isNear);
  let last = 0;
  for (let index = from; index < to; index += 1) {
    const [rows, row] = [picks.rowsAt(index), picks.atOf(index)];
    const value = rows.number(column, row);
    if (kind === "money") writeMoney(hasSigns ? foldSign(value) : value, rows, column, row, to - index, out);
    else if (isSigned) out.signed(value - last);
    else out.varint(isRising ? value - last : value);
    last = value;
  }
}

/** Maps signed integers to non-negative ones in the order 0, -1, 1, -2… */
const foldSign = (value: number): number => (value < 0 ? -value * 2 - 1 : value * 2);
const unfoldSign = (folded: number): number => (folded % 2 === 1 ? -(folded + 1) / 2 : folded / 2);

// Stores the number plus one, since 0 means that text follows, which is empty for null.
function writeMoney(value: number, rows: Rows, column: number, row: number, left: number, out: ByteWriter): void {
  if (!Number.isNaN(value)) {
    out.varint(value + 1);
    return;
  }
  out.varint(0);
  out.text(String(rows.largeAt(column, row) ?? ""));
  out.reserveVarints(left);
}

function writeChoices(choices: readonly Column[], picks: Picks, from: number, to: number, out: ByteWriter): void {
  out.reserveVarints(to - from);
  for (let index = from; index < to; index += 1) {
    const [rows, row] = [picks.rowsAt(index), picks.atOf(index)];
    let all = 0;
    for (const { at, factor } of choices) all += rows.number(at, row) * factor;
    out.varint(all);
  }
}

function writeTexts(column: number, picks: Picks, from: number, to: number, out: ByteWriter): void {
  for (let index = from; index < to; index += 1)
    out.text(picks.rowsAt(index).textsOf(column)[picks.atOf(index)] as string);
}

function writeBytes({ at: column, width }: Column, picks: Picks, from: number, to: number, out: ByteWriter): void {
  out.reserve((to - from) * width);
  for (let index = from; index < to;) {
    const [rows, first] = [picks.rowsAt(index), picks.atOf(index)];
    const [source, start] = [rows.bytes[column] as Buffer, rows.bytesAt(column, first)];
    // Adjacent rows are copied at once.
    let end = index + 1;
    if (rows.steps[column] === width)
      while (end < to && picks.rowsAt(end) === rows && picks.atOf(end) === first + end - index) end += 1;
    const length = (end - index) * width;
    if (length > width) out.at += source.copy(out.bytes, out.at, start, start + length);
    else for (let byte = 0; byte < width; byte += 1) out.bytes[out.at++] = source[start + byte] as number;
    index = end;
  }
}

/** Reads the column lengths, and moves the reader to the end of the block. */
function openBlock({ layout, packed, choices, raw, key }: Shape, keyBytes: Buffer, reader: ByteReader): Rows {
  const { bytes } = reader;
  const rows = new Rows(layout, reader.varint(), loadColumn);
  const { starts, bytes: sources } = rows;
  let start = 0;
  for (const { at } of packed) {
    starts[at] = start;
    sources[at] = bytes;
    start += reader.varint();
  }
  const choicesLength = reader.varint();
  for (const { at } of packed) starts[at] = (starts[at] as number) + reader.at;
  reader.at += start;
  for (const { at } of choices) {
    starts[at] = reader.at;
    sources[at] = bytes;
  }
  reader.at += choicesLength;
  for (const { at, width } of raw) {
    sources[at] = bytes;
    starts[at] = reader.at;
    reader.at += width * rows.count;
  }
  if (key !== undefined) fillKey(key, keyBytes, rows);
  return rows;
}

// Every row has the key's value, so all rows share the bytes of the key itself.
function fillKey({ at, kind, width }: Column, key: Buffer, rows: Rows): void {
  if (width > 0) {
    rows.bytes[at] = key;
    rows.steps[at] = 0;
  } else if (kind === "token") rows.numbers[at] = new Float64Array(rows.count).fill(key.readUInt32BE(0));
  else rows.texts[at] = Array.from({ length: rows.count }, () => key.toString("utf8", 1));
}

/** Decodes a packed column from the block's bytes at the column's start. */
function loadColumn(rows: Rows, at: number): void {
  const column = rows.layout.columns[at] as Column;
  const reader = new ByteReader(rows.bytes[at] as Buffer, rows.starts[at] as number);
  if (column.kind === "text") rows.texts[at] = Array.from({ length: rows.count }, () => reader.text());
  else if (column.kind === "money") readMonies(column, rows, reader);
  else rows.numbers[at] = readNumbers(column, rows, reader);
}

function readMonies({ at: column, isSigned }: Column, rows: Rows, reader: ByteReader): void {
  const numbers = new Float64Array(rows.count);
  rows.numbers[column] = numbers;
  for (let row = 0; row < rows.count; row += 1) {
    const value = reader.varint();
    if (value > 0) numbers[row] = isSigned ? unfoldSign(value - 1) : value - 1;
    else {
      const text = reader.text();
      rows.setMoney(column, row, text === "" ? null : BigInt(text));
    }
  }
}

function readNumbers(column: Column, rows: Rows, reader: ByteReader): Float64Array {
  const { kind, isNear, factor, values } = column;
  const numbers = new Float64Array(rows.count);
  const isRising = column === rows.layout.timestamp.column;
  const isSigned = !isRising && (kind === "seconds" || isNear);
  const isChoice = values.length > 0;
  let last = 0;
  for (let row = 0; row < rows.count; row += 1) {
    if (isChoice) last = Math.floor(reader.varint() / factor) % values.length;
    else if (isSigned) last += reader.signed();
    else last = isRising ? last + reader.varint() : reader.varint();
    numbers[row] = last;
  }
  return numbers;
}
