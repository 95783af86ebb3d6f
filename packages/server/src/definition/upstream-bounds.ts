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

/**
 * A list of at most `most` items. Its length is checked first, and validation stops at the first invalid item: a list
 * of a million invalid items costs no more than one.
 */
export function listOf<T extends z.ZodType>(item: T, most: number) {
  return z
    .array(z.unknown())
    .max(most)
    .transform((items, context): z.output<T>[] => {
      const read: z.output<T>[] = [];
      for (const [index, one] of items.entries()) {
        const parsed = item.safeParse(one);
        if (!parsed.success) {
          for (const { message, path } of parsed.error.issues) {
            context.issues.push({ code: "custom", message, path: [index, ...path], input: one });
          }
          return z.NEVER;
        }
        read.push(parsed.data);
      }
      return read;
    });
}

/** Bytes. */
export const MIB = 1024 * 1024;
