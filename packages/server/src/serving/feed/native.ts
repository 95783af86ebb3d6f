import { NULL_MICROS, type PlainColumn } from "../batch.ts";

/** Some rows, column by column, in the form that a batch of the index takes. */
export type NativeBlock = Block<PlainColumn>;

export type Block<Values> = { readonly count: number; readonly columns: Readonly<Record<string, Values>> };

const FIXED = /^FixedString\((\d+)\)$/;
const NULLABLE = /^Nullable\((.*)\)$/;
const DECIMAL = /^Decimal(?:64)?\(/;

/**
 * Lazily decodes blocks of the engine's Native format: name, type and contiguous values of each column. Supports only
 * the types that `selectServed` selects.
 */
export const readNative = (bytes: Buffer): Generator<NativeBlock, void, void> => decodeBlocks(bytes, readValues);

/** Lazily decodes blocks, each column as `read` does. */
export function* decodeBlocks<Values>(
  bytes: Buffer,
  read: (reading: Reading, type: string, count: number) => Values,
): Generator<Block<Values>, void, void> {
  const reading = { bytes, at: 0 };
  while (reading.at < bytes.length) {
    const [width, count] = [readSize(reading), readSize(reading)];
    const columns: Record<string, Values> = {};
    for (let column = 0; column < width; column += 1) {
      const [name, type] = [readText(reading), readText(reading)];
      columns[name] = read(reading, type, count);
    }
    if (count > 0) yield { count, columns };
  }
}

export type Reading = { readonly bytes: Buffer; at: number };

function readSize(reading: Reading): number {
  let [size, factor] = [0, 1];
  for (;;) {
    const byte = reading.bytes[reading.at++];
    if (byte === undefined) throw new RangeError("the engine's block ends early");
    size += (byte & 0x7f) * factor;
    if (byte < 0x80) return size;
    factor *= 128;
  }
}

function readText(reading: Reading): string {
  const length = readSize(reading);
  return take(reading, length).toString("latin1");
}

export function take(reading: Reading, length: number): Buffer {
  const taken = reading.bytes.subarray(reading.at, reading.at + length);
  if (taken.length !== length) throw new RangeError("the engine's block ends early");
  reading.at += length;
  return taken;
}

function readValues(reading: Reading, type: string, count: number): PlainColumn {
  const nullable = NULLABLE.exec(type);
  if (nullable !== null) return readNullable(reading, String(nullable[1]), count);
  const fixed = FIXED.exec(type);
  if (fixed !== null) return take(reading, count * Number(fixed[1]));
  if (type === "UInt8") return take(reading, count);
  if (type === "UInt32") return new Uint32Array(aligned(take(reading, count * 4)));
  if (type === "Float64") return new Float64Array(aligned(take(reading, count * 8)));
  if (DECIMAL.test(type)) return new BigInt64Array(aligned(take(reading, count * 8)));
  if (type === "String") return Array.from({ length: count }, () => readWords(reading));
  throw new TypeError(`the engine returned a column of ${type}`);
}

/** The null flags come first. */
function readNullable(reading: Reading, type: string, count: number): PlainColumn {
  const nulls = take(reading, count);
  const values = readValues(reading, type, count);
  if (!(values instanceof BigInt64Array)) throw new TypeError(`the engine returned a column of nullable ${type}`);
  for (let row = 0; row < count; row += 1) if (nulls[row] === 1) values[row] = NULL_MICROS;
  return values;
}

export function readWords(reading: Reading): string {
  const length = readSize(reading);
  return take(reading, length).toString("utf8");
}

/** A copy aligned for number arrays; both sides are little-endian. */
const aligned = (bytes: Buffer): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
