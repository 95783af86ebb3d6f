import { ByteReader } from "../../definition/bytes.ts";

const HALF = 2 ** 32;
const KEY_BYTES = 8;

/** Reads rows in the engine's RowBinary, value by value. Throws RangeError past their end. */
export class RowReader extends ByteReader {
  constructor(bytes: Uint8Array) {
    super(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), 0);
  }

  isLeft(): boolean {
    return this.at < this.bytes.length;
  }

  skip(bytes: number): void {
    this.at += bytes;
  }

  /** Whether the next `length` bytes equal those of `others` from an offset on. */
  isAt(others: Buffer, from: number, length: number): boolean {
    const { bytes, at } = this;
    if (at + length > bytes.length || from + length > others.length) throw new RangeError("no bytes left");
    for (let place = 0; place < length; place += 1) if (bytes[at + place] !== others[from + place]) return false;
    return true;
  }

  /** Date, as days since 1970. */
  day(): number {
    this.at += 2;
    return this.bytes.readUInt16LE(this.at - 2);
  }

  small(): number {
    this.at += 1;
    return this.bytes.readUInt8(this.at - 1);
  }

  count(): number {
    this.at += 4;
    return this.bytes.readUInt32LE(this.at - 4);
  }

  real(): number {
    this.at += 8;
    return this.bytes.readDoubleLE(this.at - 8);
  }

  /** Decimal64(6) in millionths; exact below 2^53. */
  micros(): number {
    this.at += 8;
    return this.bytes.readInt32LE(this.at - 4) * HALF + this.bytes.readUInt32LE(this.at - 8);
  }

  /** A 64-bit number and the text after it: both as one name, and a function that reads the text. */
  keyAndText(): [name: string, text: () => string] {
    const begin = this.at;
    this.skip(KEY_BYTES);
    const length = this.varint();
    const [from, to] = [this.at, this.at + length];
    this.at = to;
    return [this.bytes.toString("latin1", begin, to), () => this.bytes.toString("utf8", from, to)];
  }
}
