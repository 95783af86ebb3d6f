import { setImmediate as breathe } from "node:timers/promises";
import { type LongSpan, type Piece, JsonScan } from "../../definition/json-scan.ts";
import { MAX_DEPTH } from "../../definition/upstream-bounds.ts";

/** Some milliseconds of parsing: the event loop runs between such pieces of an answer. */
export const PIECE_BYTES = 64 * 1024;

/**
 * JSON.parse of an answer, piece by piece if it is long (`long` was found in it). A worker thread would not help:
 * transferring the parsed result costs more than parsing here. Throws SyntaxError if it is not JSON.
 */
export async function readJson(bytes: Buffer, long: LongSpan | undefined): Promise<unknown> {
  if (long === undefined) return JSON.parse(bytes.toString("utf8"));
  requireBlank(bytes, 0, long.from);
  requireBlank(bytes, long.to, bytes.length);
  return await readLong(bytes, long);
}

async function readLong(bytes: Buffer, { isList, pieces }: LongSpan): Promise<unknown> {
  const list: unknown[] = [];
  const object: Record<string, unknown> = {};
  for (const { from, to, long } of pieces) {
    await breathe();
    const text = bytes.toString("utf8", from, long?.from ?? to);
    if (long !== undefined) requireBlank(bytes, long.to, to);
    if (isList && long !== undefined) {
      requireBlank(bytes, from, long.from);
      list.push(await readLong(bytes, long));
    } else if (isList) {
      for (const item of itemsOf(text, pieces)) list.push(item);
    } else if (long !== undefined) {
      define(object, nameOf(text), await readLong(bytes, long));
    } else {
      for (const [name, value] of fieldsOf(text, pieces)) define(object, name, value);
    }
  }
  return isList ? list : object;
}

function itemsOf(text: string, pieces: readonly Piece[]): unknown[] {
  requireSome(text, pieces);
  return JSON.parse(`[${text}]`) as unknown[];
}

function fieldsOf(text: string, pieces: readonly Piece[]): [string, unknown][] {
  requireSome(text, pieces);
  return Object.entries(JSON.parse(`{${text}}`) as object);
}

/** The field name, with its colon, before a long container. */
function nameOf(text: string): string {
  const [name] = Object.keys(JSON.parse(`{${text} 0}`) as object);
  if (name === undefined) throw new SyntaxError("a field has no name");
  return name;
}

/** As JSON.parse does: `__proto__` is an ordinary field, and the last of two with the same name wins. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function requireSome(text: string, { length }: readonly Piece[]): void {
  if (length > 1 && text.trim() === "") throw new SyntaxError("a comma has no value next to it");
}

function requireBlank(bytes: Buffer, from: number, to: number): void {
  if (bytes.toString("utf8", from, to).trim() !== "") throw new SyntaxError("unexpected text next to a container");
}

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
