import { z } from "zod";
import { JsonScan, type JsonBounds } from "./json-scan.ts";

/** Venues nest a handful of levels; what is much deeper breaks whoever walks it by recursion. */
export const MOST_DEPTH = 64;

/** A frame of a websocket: the books of 50 tokens, all sides full, are some 50,000 values. */
const FRAME: JsonBounds = { mostDepth: MOST_DEPTH, mostValues: 80_000 };
/** So short a text can be neither too deep nor too much. */
const HARMLESS_CHARS = 2000;

/** JSON.parse for what an upstream sent in one piece. Throws SyntaxError also where it is too deep or too much. */
export function parseBounded(text: string): unknown {
  if (text.length > HARMLESS_CHARS) {
    const scan = new JsonScan(FRAME, Number.POSITIVE_INFINITY);
    scan.add(Buffer.from(text));
    if (scan.over !== undefined) throw new SyntaxError(`it holds ${scan.over}`);
  }
  return JSON.parse(text);
}

/** What the JSON in a text says, by `parseBounded`; `message` says what is wrong with any other text. */
export const jsonIn = (message: string) =>
  z.string().transform((text, context): unknown => {
    try {
      return parseBounded(text);
    } catch {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
  });
