import { AccessError } from "../../access/access-error.ts";
import { CallerError, type ErrorCode } from "../../definition/errors.ts";

const CODES: Readonly<Record<AccessError["problem"], ErrorCode>> = {
  not_found: "NOT_FOUND",
  conflict: "CONFLICT",
  invalid: "INVALID_REQUEST",
  forbidden: "FORBIDDEN",
};

/** A change that cannot be made, as its caller is told; anything else as it is. */
export function toConsoleError(error: unknown): unknown {
  if (!(error instanceof AccessError)) return error;
  const message = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}`;
  return new CallerError(CODES[error.problem], `${message.replace(/\.$/, "")}.`, { details: error.fields });
}
