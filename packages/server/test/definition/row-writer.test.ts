import { expect, test } from "vitest";
import { RowWriter } from "../../src/definition/row-writer.ts";

test("writes rows one after the other, whatever their length", () => {
  const writer = new RowWriter();
  const written: number[] = [];
  for (let row = 0; row < 300; row += 1) {
    writer.begin();
    writer.flag(true);
    for (let item = 0; item < row; item += 1) writer.micro(BigInt(item) - 5n);
    written.push(1 + row * 8);
  }
  const { bytes, starts } = writer.packed();
  expect(starts).toEqual(written.map((_, index) => written.slice(0, index).reduce((sum, length) => sum + length, 0)));
  const last = starts.at(-1) ?? 0;
  expect(bytes.length).toBe(last + 1 + 299 * 8);
  expect(bytes[last]).toBe(1);
  expect(bytes.readBigInt64LE(last + 1)).toBe(-5n);
  expect(bytes.readBigInt64LE(bytes.length - 8)).toBe(293n);
});

test("writes bytes unchanged, and grows if it has too little room", () => {
  const [writer, octets] = [new RowWriter(1), Buffer.from([0, 255, 195])];
  writer.octets(octets);
  writer.octets(Buffer.alloc(300, 7));
  const { bytes } = writer.packed();
  expect(bytes).toEqual(Buffer.concat([Buffer.from([3]), octets, Buffer.from([0xac, 0x02]), Buffer.alloc(300, 7)]));
});

test("writes an amount the same as a number and as a bigint", () => {
  const amounts = [0, 1, -1, 2 ** 32 - 1, -(2 ** 32), -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
  const writer = new RowWriter();
  for (const amount of amounts) writer.micro(amount);
  const { bytes } = writer.packed();
  expect(amounts.map((_, index) => bytes.readBigInt64LE(index * 8))).toEqual(amounts.map(BigInt));
});

test("writes a repeated text the same every time, also after the buffer has moved", () => {
  const [writer, token, condition] = [new RowWriter(), 2n ** 255n + 12_345n, `0x${"c4".repeat(32)}`];
  for (let time = 0; time < 3000; time += 1) {
    writer.wide(String(token));
    writer.hex(condition);
  }
  const row = Buffer.concat([
    Buffer.from(token.toString(16).padStart(64, "0"), "hex").toReversed(),
    Buffer.alloc(32, 0xc4),
  ]);
  const { bytes } = writer.packed();
  expect(bytes.length).toBe(3000 * 64);
  for (let time = 0; time < 3000; time += 1) expect(bytes.compare(row, 0, 64, time * 64, time * 64 + 64)).toBe(0);
});

test("throws on a value that a column cannot hold instead of storing another one", () => {
  const writer = new RowWriter();
  writer.micro(-(10n ** 18n - 1n));
  expect(() => writer.micro(10n ** 18n)).toThrow(RangeError);
  for (const number of [2 ** 53, 0.5, Number.NaN]) expect(() => writer.micro(number)).toThrow(RangeError);
  expect(() => writer.count(-1)).toThrow(RangeError);
  expect(() => writer.count(Number.POSITIVE_INFINITY)).toThrow(RangeError);
  for (const text of ["0xzz", "0xabc"]) expect(() => writer.hex(text)).toThrow(TypeError);
});
