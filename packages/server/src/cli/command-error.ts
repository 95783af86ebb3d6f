import { AccessError } from "../access/access-error.ts";
import { ConfigError } from "../config.ts";

/**
 * What a command's end means to a script: 1 it failed, 2 it was used wrongly, 3 what it names does not exist, 4 what it
 * compared is not the same.
 */
type FailureCode = 1 | 2 | 3 | 4;

/** Ends a command with a message for its user and an exit code. */
export class CommandError extends Error {
  readonly exitCode: FailureCode;

  constructor(exitCode: FailureCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "CommandError";
    this.exitCode = exitCode;
  }
}

/** The exit code that an error means; citty's own errors are wrong use. */
export function exitCodeOf(error: unknown): FailureCode {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof ConfigError) return 2;
  if (error instanceof AccessError)
    return ({ invalid: 2, not_found: 3, conflict: 1, forbidden: 1 } as const)[error.problem];
  return error instanceof Error && error.name === "CLIError" ? 2 : 1;
}
