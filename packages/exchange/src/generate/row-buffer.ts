/**
 * Buffer of rows in ClickHouse's RowBinary: fixed-width, little-endian, no names. Never grows: check `isFull` between
 * rows.
 */
export class RowBuffer {
  readonly bytes: Buffer;
  length = 0;
  rows = 0;
  private readonly room: number;

  /** `room` bytes are reserved for the row being written when the buffer becomes full. */
  constructor(capacity: number, room: number = 4096) {
    this.bytes = Buffer.allocUnsafeSlow(capacity + room);
    this.room = room;
  }

  isFull(): boolean {
    return this.length + this.room > this.bytes.length;
  }

  clear(): void {
    this.length = 0;
    this.rows = 0;
  }

  u8(value: number): void {
    this.bytes[this.length] = value;
    this.length += 1;
  }

  u32(value: number): void {
    const { bytes, length } = this;
    bytes[length] = value;
    bytes[length + 1] = value >>> 8;
    bytes[length + 2] = value >>> 16;
    bytes[length + 3] = value >>> 24;
    this.length = length + 4;
  }

  /** Writes a safe integer as Int64. */
  i64(value: number): void {
    const high = Math.floor(value / 0x1_0000_0000);
    this.u32(value - high * 0x1_0000_0000);
    this.u32(high);
  }

  copy(source: Buffer, from: number, length: number): void {
    source.copy(this.bytes, this.length, from, from + length);
    this.length += length;
  }

  /** Writes the length of a string or array as LEB128. */
  size(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.u8((rest & 127) | 128);
      rest >>>= 7;
    }
    this.u8(rest);
  }

  text(value: string): void {
    const bytes = Buffer.byteLength(value);
    this.size(bytes);
    this.length += this.bytes.write(value, this.length);
  }
}
