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

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Converts an error response to an AlmanacError. */
export async function readError(response: Response, nowMs: number): Promise<AlmanacError> {
  const { status } = response;
  const said = await bodyOf(response);
  const error = isRecord(said) && isRecord(said["error"]) ? said["error"] : {};
  const code = textOf(error["code"]);
  const message = textOf(error["message"]) ?? `HTTP ${status} without an explanation`;
  return new AlmanacError(message, {
    status,
    code: code ?? "UNREADABLE",
    details: detailsOf(error["details"]),
    docs: textOf(error["docs"]),
    requestId: textOf(error["request_id"]) ?? response.headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: secondsOf(response.headers.get("retry-after"), nowMs),
  });
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

function detailsOf(value: unknown): ErrorDetail[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).flatMap((detail) => {
    const { path, problem, expected, got } = detail;
    if (typeof path !== "string" || typeof problem !== "string") return [];
    return [
      {
        path,
        problem,
        ...(typeof expected === "string" ? { expected } : {}),
        ...(typeof got === "string" ? { got } : {}),
      },
    ];
  });
}

/** Parses Retry-After, given as seconds or as a date, to seconds. */
function secondsOf(text: string | null, nowMs: number): number | undefined {
  if (text === null) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - nowMs) / 1000);
}
