import type { PackedRows } from "./packed-rows.ts";

const FIRST_BYTES = 65_536;
const HALF = 4_294_967_296;
const MAX_COUNT = 4_294_967_295;
/** The largest Decimal64(6): 18 digits. */
const MAX_MICRO = 999_999_999_999_999_999n;

/** Writes rows of a table in the engine's RowBinary: `begin`, then each column in the table's order. */
export class RowWriter {
  #bytes: Buffer;
  #view: DataView;
  #place = 0;
  #starts: number[] = [];
  /** Offset at which a long value was first written: later occurrences are copied from there, not encoded again. */
  readonly #written = new Map<string, number>();

  /** `firstBytes` is the initial capacity; it grows as needed. */
  constructor(firstBytes = FIRST_BYTES) {
    this.#bytes = Buffer.allocUnsafe(firstBytes);
    this.#view = viewOf(this.#bytes);
  }

  begin(): void {
    this.#starts.push(this.#place);
  }

  /** FixedString of the length given by a 0x-hex text. */
  hex(text: string): void {
    const length = text.length / 2 - 1;
    const at = this.#take(length);
    if (this.#isCopied(text, at, length)) return;
    if (this.#bytes.write(text.slice(2), at, "hex") !== length) throw new TypeError(`${text} is not hex`);
    this.#written.set(text, at);
  }

  /** A few bytes in the engine's encoding; a loop is faster than a call for these. */
  copy(bytes: Uint8Array): void {
    const { length } = bytes;
    const at = this.#take(length);
    const into = this.#bytes;
    for (let place = 0; place < length; place += 1) into[at + place] = bytes[place] as number;
  }

  /** String. */
  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.#length(length);
    const at = this.#take(length);
    this.#bytes.write(value, at);
  }

  /** String, from raw bytes. */
  octets(value: Uint8Array): void {
    this.#length(value.length);
    const at = this.#take(value.length);
    this.#bytes.set(value, at);
  }

  /** Array(String). */
  texts(values: readonly string[]): void {
    this.#length(values.length);
    for (const value of values) this.text(value);
  }

  /** UInt256 of a decimal text. */
  wide(text: string): void {
    const at = this.#take(32);
    if (this.#isCopied(text, at, 32)) return;
    const value = BigInt(text);
    for (let word = 0; word < 4; word += 1)
      this.#view.setBigUint64(at + word * 8, BigInt.asUintN(64, value >> BigInt(word * 64)), true);
    this.#written.set(text, at);
  }

  /** Date, as days since 1970. */
  day(value: number): void {
    const at = this.#take(2);
    this.#view.setUint16(at, value, true);
  }

  /** UInt32 or DateTime. Throws RangeError for anything else. */
  count(value: number): void {
    if (!(value >= 0 && value <= MAX_COUNT)) throw new RangeError(`${value} is not a UInt32`);
    const at = this.#take(4);
    this.#view.setUint32(at, value, true);
  }

  /** DateTime64(3), as Unix ms. Throws RangeError for anything but a whole number. */
  millis(value: number): void {
    this.#safe(value);
  }

  flag(value: boolean): void {
    this.#byte(value ? 1 : 0);
  }

  /** UInt8, or an enumeration value by its number. */
  small(value: number): void {
    this.#byte(value);
  }

  real(value: number): void {
    const at = this.#take(8);
    this.#view.setFloat64(at, value, true);
  }

  /** Float32. */
  ratio(value: number): void {
    const at = this.#take(4);
    this.#view.setFloat32(at, value, true);
  }

  /** Decimal64(6), in millionths. Throws RangeError for more than 18 digits. */
  micro(value: number | bigint): void {
    if (typeof value === "number") return this.#safe(value);
    if (value > MAX_MICRO || value < -MAX_MICRO)
      throw new RangeError(`${value} millionths are out of range for Decimal64(6)`);
    const at = this.#take(8);
    this.#view.setBigInt64(at, value, true);
  }

  /** The first byte of a Nullable; the value follows if it is not null. Returns `isNull`. */
  isNull(isNull: boolean): boolean {
    this.flag(isNull);
    return isNull;
  }

  /** Number of rows begun. */
  get written(): number {
    return this.#starts.length;
  }

  /** The rows, as a view of the writer's buffer: valid until it begins another. */
  packed(): PackedRows {
    return { kind: "packed", bytes: this.#bytes.subarray(0, this.#place), starts: this.#starts };
  }

  /** Restarts in the same buffer, once its rows are stored: growing a new one costs more than writing the rows. */
  clear(): void {
    this.#place = 0;
    this.#starts = [];
    this.#written.clear();
  }

  #isCopied(text: string, at: number, length: number): boolean {
    const from = this.#written.get(text);
    if (from === undefined) return false;
    const bytes = this.#bytes;
    for (let place = 0; place < length; place += 1) bytes[at + place] = bytes[from + place] as number;
    return true;
  }

  #safe(value: number): void {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not an exact amount`);
    const at = this.#take(8);
    const high = Math.floor(value / HALF);
    this.#view.setUint32(at, value - high * HALF, true);
    this.#view.setInt32(at + 4, high, true);
  }

  #length(value: number): void {
    let rest = value;
    for (; rest >= 128; rest >>>= 7) this.#byte((rest & 127) | 128);
    this.#byte(rest);
  }

  #byte(value: number): void {
    const at = this.#take(1);
    this.#view.setUint8(at, value);
  }

  /** Reserves the next `length` bytes and returns their offset. It may replace the buffer. */
  #take(length: number): number {
    const at = this.#place;
    this.#place = at + length;
    if (this.#place > this.#bytes.length) this.#grow();
    return at;
  }

  #grow(): void {
    const bytes = Buffer.allocUnsafe(Math.max(this.#place, this.#bytes.length * 2));
    this.#bytes.copy(bytes);
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
  }
}

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);
