import { isRecordsAway } from "../access/is-records-away.ts";
import { CallerError } from "../definition/errors.ts";

/**
 * What a caller is told of anything thrown: their own error as it is, UNAVAILABLE while the control records are away,
 * everything else INTERNAL; the cause is kept for the log.
 */
export function toCallerError(error: unknown): CallerError {
  if (error instanceof CallerError) return error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return new CallerError("UNSUPPORTED_MEDIA_TYPE", "Content-Type is not a media type; send application/json.");
  }
  if (isRecordsAway(error)) {
    return new CallerError("UNAVAILABLE", "The control records cannot be used now; try again in a second.", {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
  return new CallerError("INTERNAL", "Something failed on our side; the operator can find it by the request_id.", {
    cause: error,
  });
}
