/** What the door answers with instead of a reply: HTTP status and Kalshi's `{"error":{code,message,details}}`. */
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
