import type { ErrorDetail } from "@almanac/client";

/** An error response of the service, or of the connection to it. `status` 0: it could not be reached. */
export class ConsoleProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(reported: {
    status: number;
    code: string;
    message: string;
    details?: readonly ErrorDetail[] | undefined;
    requestId?: string | undefined;
    retryAfterSeconds?: number | undefined;
  }) {
    super(reported.message);
    this.name = "ConsoleProblem";
    this.status = reported.status;
    this.code = reported.code;
    this.details = reported.details ?? [];
    this.requestId = reported.requestId;
    this.retryAfterSeconds = reported.retryAfterSeconds;
  }

  /** The message about one field of a form, by the field's name or its dotted path. */
  of(field: string): string | undefined {
    return this.details.find((detail) => detail.path === field || detail.path.endsWith(`.${field}`))?.problem;
  }
}

/** The service's problem behind an error; undefined if there is no error, or it is of another kind. */
export const problemOf = (error: unknown): ConsoleProblem | undefined =>
  error instanceof ConsoleProblem ? error : undefined;
