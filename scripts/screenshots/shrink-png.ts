import { crc32, deflateSync } from "node:zlib";
import { readPng, type Pixels } from "./read-png.ts";

const MOST_COLOURS = 256;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The same picture in 256 colours: those that are there most; every other becomes the nearest of them. */
export function shrinkPng(png: Buffer): Buffer {
  const pixels = readPng(png);
  const colours = coloursOf(pixels);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, MOST_COLOURS)
    .map(([colour]) => colour);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const { width, height } = pixels;
  const lines = Buffer.alloc((width + 1) * height);
  for (const [at, colour] of colours.entries()) {
    const place = places.get(colour) ?? nearest(palette, colour);
    places.set(colour, place);
    lines[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = place;
  }
  const head = Buffer.from(png.subarray(16, 29));
  head[9] = 3;
  const plte = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("PLTE", plte),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function coloursOf({ width, height, channels, bytes }: Pixels): Uint32Array {
  const colours = new Uint32Array(width * height);
  for (let at = 0; at < colours.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = bytes.subarray(at * channels, at * channels + 3);
    colours[at] = (red << 16) | (green << 8) | blue;
  }
  return colours;
}

function nearest(palette: readonly number[], colour: number): number {
  let [best, place] = [Number.POSITIVE_INFINITY, 0];
  for (const [at, other] of palette.entries()) {
    const red = (other >> 16) - (colour >> 16);
    const green = ((other >> 8) & 255) - ((colour >> 8) & 255);
    const blue = (other & 255) - (colour & 255);
    const distance = red * red * 2 + green * green * 4 + blue * blue;
    if (distance < best) [best, place] = [distance, at];
  }
  return place;
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
