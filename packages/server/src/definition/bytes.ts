const FIRST_BYTES = 65_536;
/** The longest varint of a whole number below 2^53, with a byte to spare for the sign. */
const MAX_VARINT = 9;

/** An append-only byte buffer whose capacity is kept between uses. */
export class ByteWriter {
  bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  at = 0;

  /** Reserves room for `count` varints; varint() itself does not check. */
  reserveVarints(count: number): void {
    this.reserve(count * MAX_VARINT);
  }

  reserve(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.at + more));
    this.bytes.copy(grown, 0, 0, this.at);
    this.bytes = grown;
  }

  varint(value: number): void {
    const { bytes } = this;
    let [rest, at] = [value, this.at];
    while (rest >= 128) {
      bytes[at++] = (rest % 128) | 128;
      rest = rest < 2_147_483_648 ? rest >>> 7 : Math.floor(rest / 128);
    }
    bytes[at++] = rest;
    this.at = at;
  }

  /** Stores the sign in the lowest bit of the first byte, because doubling could exceed the safe integers. */
  signed(value: number): void {
    const size = Math.abs(value);
    const low = (size % 64) * 2 + (value < 0 ? 1 : 0);
    if (size < 64) {
      this.bytes[this.at++] = low;
      return;
    }
    this.bytes[this.at++] = low | 128;
    this.varint(Math.floor(size / 64));
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.reserve(length + MAX_VARINT);
    this.varint(length);
    this.at += this.bytes.write(value, this.at);
  }

  copy(from: Buffer, start: number, end: number): void {
    this.reserve(end - start);
    this.at += from.copy(this.bytes, this.at, start, end);
  }

  written(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.at));
  }
}

export class ByteReader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++] ?? 0;
    let [value, factor] = [byte & 127, 128];
    while (byte >= 128) {
      byte = bytes[this.at++] ?? 0;
      value += (byte & 127) * factor;
      factor *= 128;
    }
    return value;
  }

  signed(): number {
    const first = this.bytes[this.at++] ?? 0;
    const low = (first & 127) >>> 1;
    const size = first < 128 ? low : low + this.varint() * 64;
    return (first & 1) === 1 ? -size : size;
  }

  text(): string {
    const length = this.varint();
    this.at += length;
    return this.bytes.toString("utf8", this.at - length, this.at);
  }
}

const TOKEN_BYTES = 32;

/** A token (a 256-bit integer as decimal text) as 32 bytes, big-endian. */
export function bytesOfToken(token: string): Buffer {
  const hex = /^(0|[1-9]\d{0,77})$/.test(token) ? BigInt(token).toString(16) : "";
  if (hex === "" || hex.length > TOKEN_BYTES * 2) throw new TypeError(`${token} is not a token id`);
  return Buffer.from(hex.padStart(TOKEN_BYTES * 2, "0"), "hex");
}

export const tokenOfBytes = (bytes: Buffer): string => BigInt(`0x${bytes.toString("hex")}`).toString();
