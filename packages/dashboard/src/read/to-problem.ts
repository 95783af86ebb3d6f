import { AlmanacError } from "@almanac/client";
import { ConsoleProblem } from "../api/console-problem.ts";

/** The client's error as the dashboard's, so that a page tells both alike and a lost session is noticed. */
export function toProblem(error: unknown): unknown {
  if (!(error instanceof AlmanacError)) return error;
  const { status, code, message, details, requestId, retryAfterSeconds } = error;
  return new ConsoleProblem({ status, code, message, details, requestId, retryAfterSeconds });
}
