import { z } from "zod";
import { JsonScan, type JsonBounds } from "./json-scan.ts";

/** Venues nest a handful of levels; much deeper JSON breaks recursive code. */
export const MAX_DEPTH = 64;

/** Bounds for a websocket frame: the books of 50 tokens, all sides full, are some 50,000 values. */
const FRAME: JsonBounds = { maxDepth: MAX_DEPTH, maxValues: 80_000 };
/** Shorter texts cannot exceed the bounds. */
const HARMLESS_CHARS = 2000;

/** JSON.parse for upstream data received in one piece. Throws SyntaxError also where it exceeds the bounds. */
export function parseBounded(text: string): unknown {
  if (text.length > HARMLESS_CHARS) {
    const scan = new JsonScan(FRAME, Number.POSITIVE_INFINITY);
    scan.add(Buffer.from(text));
    if (scan.over !== undefined) throw new SyntaxError(`it holds ${scan.over}`);
  }
  return JSON.parse(text);
}

/** A schema that parses a text by `parseBounded`; `message` is the issue for invalid text. */
export const jsonIn = (message: string) =>
  z.string().transform((text, context): unknown => {
    try {
      return parseBounded(text);
    } catch {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
  });
