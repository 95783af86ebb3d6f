import { isUtf8 } from "node:buffer";
import { CallerError } from "../definition/errors.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Parses the body as a JSON object. Throws MALFORMED_JSON for anything else, for invalid UTF-8, unpaired surrogates,
 * deep nesting, and a duplicate name: one of two filters would be silently dropped.
 */
export function parseBody(bytes: Buffer, maxNesting: number): Readonly<Record<string, unknown>> {
  if (bytes.length === 0) throw malformed("The body is empty; send one JSON object.");
  if (!isUtf8(bytes)) throw malformed("The body is not valid UTF-8.");
  const { deepest, colons } = scan(bytes);
  if (deepest > maxNesting) throw malformed(`The body is nested deeper than ${maxNesting} levels.`);
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw malformed(`The body is ${kindOf(value)}, not a JSON object.`);
  }
  if (membersIn(value) !== colons) throw malformed("A name is given twice in one object of the body.");
  if (SURROGATE_ESCAPE.test(text) && !isWellFormed(value)) {
    throw malformed("A string in the body contains an unpaired surrogate.");
  }
  return value as Readonly<Record<string, unknown>>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const position = cause instanceof SyntaxError ? /at position (\d+)/.exec(cause.message)?.[1] : undefined;
    throw malformed(`The body is not valid JSON${position === undefined ? "" : ` (at position ${position})`}.`);
  }
}

/** The deepest nesting and the number of colons outside strings, which in valid JSON is the number of members. */
function scan(bytes: Buffer): { deepest: number; colons: number } {
  let depth = 0;
  let deepest = 0;
  let colons = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) inString = !inString;
    else if (inString) index += byte === BACKSLASH ? 1 : 0;
    else if (byte === COLON) colons += 1;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return { deepest, colons };
}

function membersIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value);
  const below = inner.reduce((sum: number, one) => sum + membersIn(one), 0);
  return Array.isArray(value) ? below : below + inner.length;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

function malformed(message: string): CallerError {
  return new CallerError("MALFORMED_JSON", message);
}
