import { z } from "zod";

/** An e-mail address as it is kept: lower case. */
export const emailInput = z.string().trim().toLowerCase().max(254).pipe(z.email());

/** Input parsed, or an AccessError that names each wrong field. */
export function readInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => ({
    path: issue.path.join("."),
    problem: problemOf(issue.message),
  }));
  const problems = fields.map(({ path, problem }) => `${path || "input"}: ${problem}`);
  throw new AccessError("invalid", problems.join("; "), fields);
}

/** The library calls what is not there by the language's own word. */
const problemOf = (message: string): string =>
  message.replace(/^Invalid input: expected (.*), received undefined$/, "is missing: expected $1");

export type WrongField = { readonly path: string; readonly problem: string };

export type AccessProblem = "not_found" | "conflict" | "invalid" | "forbidden";

const MOST_LETTERS = 1000;

/** A change to accounts, users, keys or plans that cannot be made; `message` is for whoever asked for it. */
export class AccessError extends Error {
  readonly problem: AccessProblem;
  /** The fields that were wrong, where it is told by field. */
  readonly fields: readonly WrongField[];

  constructor(problem: AccessProblem, message: string, fields: readonly WrongField[] = []) {
    // It may repeat what was sent, which may be as long as a body.
    super(message.length > MOST_LETTERS ? `${message.slice(0, MOST_LETTERS)}…` : message);
    this.name = "AccessError";
    this.problem = problem;
    this.fields = fields;
  }
}
