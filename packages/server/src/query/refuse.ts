import { CallerError, type ErrorCode, type ErrorDetail } from "../definition/errors.ts";

const MAX_SHOWN = 80;

/** Formats a value for a message: short, printable, on one line. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  const printable = text.replace(/[^\P{C}]/gu, "?").toWellFormed();
  return printable.length > MAX_SHOWN ? `${printable.slice(0, MAX_SHOWN)}…` : printable;
}

/** Formats a value of a request's body as the JSON that was sent: "574" in quotes is no number. */
export const asSent = (value: unknown): string => shown(JSON.stringify(value));

/** Builds a 400 from its details; its message is the first detail's. */
export function refusal(code: ErrorCode, details: readonly ErrorDetail[]): CallerError {
  const first = details[0];
  const message = first === undefined ? "The request is not valid." : sentence(first);
  return new CallerError(
    code,
    details.length > 1 ? `${message} (and ${details.length - 1} more, see details)` : message,
    { details },
  );
}

function sentence(detail: ErrorDetail): string {
  const got = detail.got === undefined ? "" : `, got ${detail.got}`;
  const expected = detail.expected === undefined ? "" : `: expected ${detail.expected}`;
  return `${detail.path}: ${detail.problem}${expected}${got}.`;
}
