/** An error response: HTTP status and Kalshi's `{"error":{code,message,details}}`. */
export class KalshiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: string | undefined;

  constructor(status: number, code: string, message: string, details?: string) {
    super(message);
    this.name = "KalshiError";
    this.status = status;
    this.code = code;
    this.details = details;
  }

  body() {
    return { error: { code: this.code, message: this.message, ...(this.details && { details: this.details }) } };
  }
}

/** The 401 for an invalid key or signature. */
export const UNSIGNED = new KalshiError(401, "token_authentication_failure", "token authentication failure");

/** The 400 for an invalid parameter. */
export function invalidParameters(details: string): KalshiError {
  return new KalshiError(400, "invalid_parameters", "invalid parameters", details);
}
