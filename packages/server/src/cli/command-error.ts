/**
 * What a command's end means to a script: 1 it failed, 2 it was used wrongly, 3 what it names does not exist, 4 what it
 * compared is not the same.
 */
export type FailureCode = 1 | 2 | 3 | 4;

/** Ends a command with a message for its user and an exit code. */
export class CommandError extends Error {
  readonly exitCode: FailureCode;

  constructor(exitCode: FailureCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "CommandError";
    this.exitCode = exitCode;
  }
}
