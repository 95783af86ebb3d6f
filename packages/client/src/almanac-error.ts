/** One problem of a request: where, what, what was expected, what was received. */
export type ErrorDetail = {
  readonly path: string;
  readonly problem: string;
  readonly expected?: string;
  readonly got?: string;
};

type Facts = {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly code: string;
  readonly details?: readonly ErrorDetail[];
  /** URL of the error's documentation. */
  readonly docs?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
};

/** A request that returned no rows. `code` is the service's own, or UNREACHABLE, TIMEOUT or UNREADABLE. */
export class AlmanacError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly docs: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, facts: Facts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = "AlmanacError";
    this.status = facts.status;
    this.code = facts.code;
    this.details = facts.details ?? [];
    this.docs = facts.docs;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}
