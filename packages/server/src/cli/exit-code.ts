import { AccessError } from "../access/access-error.ts";
import { ConfigError } from "../config.ts";
import { CommandError } from "./command-error.ts";
import type { FailureCode } from "./command-error.ts";

/** The exit code that an error means; citty's own errors are wrong use. */
export function exitCodeOf(error: unknown): FailureCode {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof ConfigError) return 2;
  if (error instanceof AccessError)
    return ({ invalid: 2, not_found: 3, conflict: 1, forbidden: 1 } as const)[error.problem];
  return error instanceof Error && error.name === "CLIError" ? 2 : 1;
}
