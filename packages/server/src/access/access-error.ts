export type WrongField = { readonly path: string; readonly problem: string };

export type AccessProblem = "not_found" | "conflict" | "invalid" | "forbidden";

/** A change to accounts, users, keys or plans that cannot be made; `message` is for whoever asked for it. */
export class AccessError extends Error {
  readonly problem: AccessProblem;
  /** The fields that were wrong, where it is told by field. */
  readonly fields: readonly WrongField[];

  constructor(problem: AccessProblem, message: string, fields: readonly WrongField[] = []) {
    super(message);
    this.name = "AccessError";
    this.problem = problem;
    this.fields = fields;
  }
}
