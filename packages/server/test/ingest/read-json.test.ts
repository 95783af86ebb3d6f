import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonScan } from "../../src/definition/json-scan.ts";
import { shortJson } from "../../src/definition/wrong-shape.ts";
import { readJson } from "../../src/ingest/feed/read-body.ts";

const NO_BOUNDS = { maxDepth: 1000, maxValues: Number.POSITIVE_INFINITY };

/** Reads `text` in pieces of `pieceBytes`, from chunks of `chunkBytes`. */
async function inPieces(text: string, pieceBytes: number, chunkBytes: number): Promise<unknown> {
  const bytes = Buffer.from(text);
  const scan = new JsonScan(NO_BOUNDS, pieceBytes);
  for (let at = 0; at < bytes.length; at += chunkBytes) scan.add(bytes.subarray(at, at + chunkBytes));
  if (scan.isBroken) throw new SyntaxError("brackets do not match");
  return await readJson(bytes, scan.long);
}

const sizes = [fc.integer({ min: 4, max: 60 }), fc.integer({ min: 1, max: 40 })] as const;
const spaced = (value: unknown): string => JSON.stringify(value, null, 1);

test("reading in pieces returns the same value as JSON.parse", async () => {
  const property = fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), ...sizes, async (value, piece, chunk) => {
    for (const text of [JSON.stringify(value), spaced(value)]) {
      expect(await inPieces(text, piece, chunk)).toEqual(JSON.parse(text));
    }
  });
  await fc.assert(property, { numRuns: 200 });
});

test("reading in pieces rejects what JSON.parse rejects", async () => {
  const marks = fc.constantFrom(",", "[", "]", "{", "}", '"', ":", "1", "\\", " ");
  const property = fc.asyncProperty(
    fc.jsonValue({ maxDepth: 5 }),
    fc.nat(),
    marks,
    fc.boolean(),
    ...sizes,
    async (value, place, mark, isAdded, piece, chunk) => {
      const text = JSON.stringify(value);
      const at = place % (text.length + 1);
      const broken = text.slice(0, at) + mark + text.slice(isAdded ? at : at + 1);
      const [whole, pieces] = await Promise.allSettled([
        (async (): Promise<unknown> => JSON.parse(broken))(),
        inPieces(broken, piece, chunk),
      ]);
      expect(pieces.status).toBe(whole.status);
      if (pieces.status === "fulfilled") expect(pieces).toEqual(whole);
    },
  );
  await fc.assert(property, { numRuns: 500 });
});

test("short JSON is a prefix of the JSON, also for values that are too deep", () => {
  const property = fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 50 }), (value, most) => {
    expect(shortJson(value, most)).toBe(JSON.stringify(value).slice(0, most));
  });
  fc.assert(property);
  expect(shortJson(JSON.parse("[".repeat(50_000) + "]".repeat(50_000)), 200)).toMatch(/^\[{64}…\]{64}$/);
});
