import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { CallerError } from "../definition/errors.ts";
import { isUtf8 } from "node:buffer";

const JSON_TYPE = /^application\/json([ \t]*;[ \t]*charset[ \t]*=[ \t]*("?)utf-?8\2)?([ \t]*;)*$/i;

/** Throws UNSUPPORTED_MEDIA_TYPE unless the body is uncompressed application/json in UTF-8. */
export function requireJson(headers: IncomingHttpHeaders): void {
  const type = headers["content-type"];
  if (type === undefined || !JSON_TYPE.test(type.trim())) {
    throw new CallerError(
      "UNSUPPORTED_MEDIA_TYPE",
      type === undefined
        ? "Content-Type is missing; send application/json."
        : "Content-Type is not application/json in UTF-8.",
    );
  }
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding.trim() !== "" && coding.trim().toLowerCase() !== "identity") {
    throw new CallerError("UNSUPPORTED_MEDIA_TYPE", "Content-Encoding is not identity; send the body uncompressed.");
  }
}

export type BodyBounds = { readonly maxBodyBytes: number; readonly maxDrainBytes: number };

/**
 * Reads the body's bytes. Counts what arrives, whatever Content-Length says; a body over the bound is read and
 * discarded up to `maxDrainBytes`, then BODY_TOO_LARGE is thrown. The server's request timeout bounds the wait.
 */
export function readBody(request: IncomingMessage, bounds: BodyBounds): Promise<Buffer> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > bounds.maxDrainBytes) return Promise.reject(tooLarge(bounds));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const settle = (error: CallerError | undefined): void => {
      request.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
      if (error !== undefined) return reject(error);
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, received));
    };
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
      if (received > bounds.maxDrainBytes) settle(tooLarge(bounds));
      else if (received <= bounds.maxBodyBytes) chunks.push(chunk);
    };
    const onEnd = (): void => settle(received > bounds.maxBodyBytes ? tooLarge(bounds) : undefined);
    const onClose = (): void => settle(new CallerError("MALFORMED_JSON", "The body ended before it was complete."));
    request.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
    if (request.readableEnded) onEnd();
    else if (request.destroyed) onClose();
  });
}

function tooLarge(bounds: BodyBounds): CallerError {
  return new CallerError("BODY_TOO_LARGE", `The body is larger than ${bounds.maxBodyBytes} bytes.`);
}

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
