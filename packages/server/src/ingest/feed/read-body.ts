import { JsonScan } from "../../definition/json-scan.ts";
import { MOST_DEPTH } from "../../definition/parse-bounded.ts";
import { PIECE_BYTES, readJson } from "./read-json.ts";

/** The body of an answer, read up to its bounds. */
export type Body = {
  /** Which bound it is beyond; then nothing is parsed, and the text is its beginning. */
  readonly over: string | undefined;
  readonly text: () => string;
  /** What `text` is made of. */
  readonly bytes: Buffer;
  /** Parses it, in pieces where it is long. Throws SyntaxError. */
  readonly json: () => Promise<unknown>;
};

/** Of a body that is beyond its bounds so much is kept. */
const BEGINNING_BYTES = 64 * 1024;
/** Answers of venues have 15 bytes and more for each of their values. */
const BYTES_A_VALUE = 16;
/** A short answer may hold what it likes. */
const FEW_VALUES = 10_000;

/**
 * Takes in a body of at most so many bytes, of which neither the depth nor the number of values can hurt; what follows
 * after a bound is not read.
 */
export async function readBody(stream: AsyncIterable<Uint8Array> | null, mostBytes: number): Promise<Body> {
  const mostValues = Math.max(FEW_VALUES, mostBytes / BYTES_A_VALUE);
  const scan = new JsonScan({ mostDepth: MOST_DEPTH, mostValues }, PIECE_BYTES);
  const chunks: Uint8Array[] = [];
  let length = 0;
  let over: string | undefined;
  for await (const chunk of stream ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    scan.add(chunk);
    if (length > mostBytes) over = `over ${mostBytes} bytes`;
    over ??= scan.over;
    if (over !== undefined) break;
  }
  const all = Buffer.concat(chunks);
  // A copy, where the rest is not wanted: who keeps the beginning would keep all of it.
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
