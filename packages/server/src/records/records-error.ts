export type RecordsProblem = "busy" | "newer_schema" | "unreachable" | "disk_full" | "edited_migration" | "lease_lost";

/** The control records cannot be used; `message` is a sentence for the operator. */
export class RecordsError extends Error {
  readonly problem: RecordsProblem;

  constructor(problem: RecordsProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "RecordsError";
    this.problem = problem;
  }
}
