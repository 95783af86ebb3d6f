/**
 * Every error a caller can receive: status, meaning and remedy. The docs pages are generated from this list;
 * `isConsoleOnly` where no dataset returns it.
 */
export const ERRORS = {
  MALFORMED_JSON: {
    status: 400,
    title: "The body is not a JSON object",
    fix: "Send one JSON object with agent_id, params and pagination.",
  },
  MISSING_AGENT_ID: { status: 400, title: "agent_id is missing", fix: "Send agent_id as an integer, e.g. 574." },
  INVALID_AGENT_ID: {
    status: 400,
    title: "agent_id is not an integer",
    fix: "Send agent_id as a JSON integer, not a string.",
  },
  INVALID_REQUEST: {
    status: 400,
    title: "The request has an unknown or invalid field",
    fix: "Send only agent_id, params, pagination and formatter_config; in the console, read error.details.",
  },
  INVALID_PARAMS: {
    status: 400,
    title: "A parameter is unknown, missing, of the wrong type or out of range",
    fix: "Read error.details: each names the parameter, what was expected and what was received.",
  },
  INVALID_PAGINATION: {
    status: 400,
    title: "pagination is not valid",
    fix: "limit is 1 to the dataset's maximum, offset an integer >= 0; a cursor excludes an offset.",
  },
  INVALID_FORMAT: {
    status: 400,
    title: "formatter_config is not valid",
    fix: "formatter_config is an object; format_type is raw, typed, csv, ndjson, parquet or arrow.",
  },
  UNAUTHENTICATED: {
    status: 401,
    title: "No valid token",
    fix: "Send Authorization: Bearer <API key>; create a key in the dashboard or with almanac key create.",
  },
  FORBIDDEN: {
    status: 403,
    title: "The key or the user may not do this",
    fix: "Use a key whose plan and dataset list include the dataset; in the console, a user whose role includes it.",
  },
  PASSWORD_CHANGE_REQUIRED: {
    status: 403,
    title: "The user's password was set by someone else",
    fix: "Set your own password in the console first.",
    isConsoleOnly: true,
  },
  UNKNOWN_AGENT: { status: 404, title: "No dataset has this agent_id", fix: "Use one of the ids in the catalogue." },
  NOT_FOUND: {
    status: 404,
    title: "No such path",
    fix: "The endpoint is POST /api/v2/semantic/retrieve/parameterized.",
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: "The path does not support this method",
    fix: "Use the method named in the Allow header.",
  },
  NOT_ACCEPTABLE: {
    status: 406,
    title: "None of the accepted content types is available",
    fix: "Accept application/json, text/csv, application/x-ndjson, application/vnd.apache.parquet or application/vnd.apache.arrow.stream.",
  },
  CONFLICT: {
    status: 409,
    title: "The change conflicts with the current state",
    fix: "Read the message: it names the conflict.",
    isConsoleOnly: true,
  },
  BODY_TOO_LARGE: { status: 413, title: "The body is too large", fix: "Send at most 64 KiB." },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: "The body is not application/json",
    fix: "Send Content-Type: application/json, uncompressed, in UTF-8.",
  },
  RATE_LIMITED: { status: 429, title: "Too many requests", fix: "Wait the seconds in Retry-After." },
  INTERNAL: {
    status: 500,
    title: "Something failed on our side",
    fix: "Try again; give the request_id to the operator.",
  },
  UNAVAILABLE: {
    status: 503,
    title: "The service cannot answer now",
    fix: "Wait the seconds in Retry-After and try again.",
  },
  QUERY_TIMEOUT: {
    status: 503,
    title: "The query went over its time or memory budget",
    fix: "Ask for a narrower range or a smaller page.",
  },
} as const satisfies Record<string, { status: number; title: string; fix: string; isConsoleOnly?: true }>;

export type ErrorCode = keyof typeof ERRORS;

/** One problem: where it is, what it is, what was expected, and what was sent (a short, safe rendering). */
export type ErrorDetail = { path: string; problem: string; expected?: string; got?: string };

/** An error meant for the caller. `message` and `details` are shown; `cause` is only logged. */
export class CallerError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { details?: readonly ErrorDetail[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "CallerError";
    this.code = code;
    this.details = more.details ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}
