import { inflateSync } from "node:zlib";

/** Pixels of a picture, three or four bytes each. */
export type Pixels = {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly bytes: Uint8Array;
};

/** Reads a PNG as Chromium writes it: eight bits a channel, colour with or without alpha, not interlaced. */
export function readPng(png: Buffer): Pixels {
  const [width, height, depth, kind, interlaced] = [
    png.readUInt32BE(16),
    png.readUInt32BE(20),
    png[24],
    png[25],
    png[28],
  ];
  if (depth !== 8 || interlaced !== 0 || (kind !== 2 && kind !== 6))
    throw new Error("a PNG that Chromium does not write");
  const channels = kind === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const lines = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const bytes = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) unfilter(lines, bytes, { y, stride, channels });
  return { width, height, channels, bytes };
}

type Line = { readonly y: number; readonly stride: number; readonly channels: number };

function unfilter(lines: Buffer, bytes: Uint8Array, { y, stride, channels }: Line): void {
  const filter = lines[y * (stride + 1)];
  const [from, to] = [y * (stride + 1) + 1, y * stride];
  for (let x = 0; x < stride; x += 1) {
    const left = x < channels ? 0 : (bytes[to + x - channels] ?? 0);
    const up = y === 0 ? 0 : (bytes[to + x - stride] ?? 0);
    const corner = x < channels || y === 0 ? 0 : (bytes[to + x - stride - channels] ?? 0);
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
    bytes[to + x] = (lines[from + x] ?? 0) + guess;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}
