import { AlmanacError, type ErrorDetail } from "./almanac-error.ts";

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
