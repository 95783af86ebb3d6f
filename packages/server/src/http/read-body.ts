import type { IncomingMessage } from "node:http";
import { CallerError } from "../definition/errors.ts";

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
