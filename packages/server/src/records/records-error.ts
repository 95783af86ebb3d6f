/** A statement that the database refused. `code` is the SQLSTATE, e.g. "23505" for a broken unique rule. */
export class DatabaseError extends Error {
  readonly code?: string;
  readonly constraint?: string;
  readonly detail?: string;

  constructor(message: string, more: { code?: string; constraint?: string; detail?: string } = {}) {
    super(message);
    this.name = "DatabaseError";
    Object.assign(this, more);
  }
}

/** Strips a driver's error of the statement and its parameters, which must not be exposed. */
export function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || !("severity" in error)) return error;
  const { code, constraint, constraint_name: name, detail } = error as unknown as Readonly<Record<string, unknown>>;
  return new DatabaseError(error.message, {
    ...textIn("code", code),
    ...textIn("constraint", constraint ?? name),
    ...textIn("detail", detail),
  });
}

const textIn = (field: string, value: unknown): object => (typeof value === "string" ? { [field]: value } : {});

export type RecordsProblem =
  | "busy"
  | "newer_schema"
  | "older_schema"
  | "unreachable"
  | "disk_full"
  | "edited_migration"
  | "lease_lost";

/** The control records cannot be used; `message` is a sentence for the operator. */
export class RecordsError extends Error {
  readonly problem: RecordsProblem;

  constructor(problem: RecordsProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "RecordsError";
    this.problem = problem;
  }
}
