import type { IncomingHttpHeaders } from "node:http";
import { CallerError } from "../definition/errors.ts";

const JSON_TYPE = /^application\/json[ \t]*(;[ \t]*charset[ \t]*=[ \t]*("utf-8"|utf-8|"utf8"|utf8)[ \t]*;?[ \t]*)?;?$/i;

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
