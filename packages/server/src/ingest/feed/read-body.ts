import { JsonScan } from "../../definition/json-scan.ts";
import { MAX_DEPTH } from "../../definition/parse-bounded.ts";
import { PIECE_BYTES, readJson } from "./read-json.ts";

/** An answer's body, read up to its bounds. */
export type Body = {
  /** The bound it exceeds; then nothing is parsed, and the text is its beginning. */
  readonly over: string | undefined;
  readonly text: () => string;
  /** The bytes of `text`. */
  readonly bytes: Buffer;
  /** Parses it, in pieces if long. Throws SyntaxError. */
  readonly json: () => Promise<unknown>;
};

/** Bytes kept of a body that exceeds its bounds. */
const BEGINNING_BYTES = 64 * 1024;
/** Venues' answers have at least 15 bytes per value. */
const BYTES_A_VALUE = 16;
/** Values always allowed, even in a short answer. */
const FEW_VALUES = 10_000;

/** Reads a body of at most so many bytes, bounding its depth and number of values; nothing after a bound is read. */
export async function readBody(stream: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Body> {
  const maxValues = Math.max(FEW_VALUES, maxBytes / BYTES_A_VALUE);
  const scan = new JsonScan({ maxDepth: MAX_DEPTH, maxValues }, PIECE_BYTES);
  const chunks: Uint8Array[] = [];
  let length = 0;
  let over: string | undefined;
  for await (const chunk of stream ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    scan.add(chunk);
    if (length > maxBytes) over = `over ${maxBytes} bytes`;
    over ??= scan.over;
    if (over !== undefined) break;
  }
  const all = Buffer.concat(chunks);
  // A copy, because a slice would keep the entire body in memory.
  const bytes = over === undefined ? all : Buffer.from(all.subarray(0, BEGINNING_BYTES));
  return {
    over,
    bytes,
    text: () => bytes.toString("utf8"),
    json: async () => {
      if (scan.isBroken) throw new SyntaxError("brackets do not match");
      return await readJson(bytes, scan.long);
    },
  };
}
