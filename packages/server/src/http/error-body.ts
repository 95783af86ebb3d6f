import type { KeyMode } from "../definition/key-mode.ts";
import type { CallerError, ErrorDetail } from "../definition/errors.ts";

const MAX_DETAILS = 50;

/** The path of the page that explains an error. */
export const errorPath = (code: string): string => `/docs/errors/${code.toLowerCase().replaceAll("_", "-")}`;

/**
 * The JSON of a failure: code, message, request id, details if any, and the page that explains it; for a key in
 * compatible mode also a status.
 */
export function errorBody(error: CallerError, requestId: string, publicUrl: string, mode: KeyMode = "strict"): Buffer {
  const details: readonly ErrorDetail[] = error.details.slice(0, MAX_DETAILS);
  return Buffer.from(
    JSON.stringify({
      ...(mode === "compatible" ? { status: "error" } : {}),
      error: {
        code: error.code,
        message: error.message,
        request_id: requestId,
        ...(details.length > 0 ? { details } : {}),
        docs: `${publicUrl}${errorPath(error.code)}`,
      },
    }),
  );
}
