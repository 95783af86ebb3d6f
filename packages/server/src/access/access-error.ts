import { z } from "zod";

/** An e-mail address as stored: lower case. */
export const emailInput = z.string().trim().toLowerCase().max(254).pipe(z.email());

/** Returns the parsed input, or throws an AccessError that names each wrong field. */
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

/** Replaces the library's message for a missing field, which uses the JavaScript word. */
const problemOf = (message: string): string =>
  message.replace(/^Invalid input: expected (.*), received undefined$/, "is missing: expected $1");

export type WrongField = { readonly path: string; readonly problem: string };

export type AccessProblem = "not_found" | "conflict" | "invalid" | "forbidden";

const MAX_LETTERS = 1000;

/** A change to accounts, users, keys or plans that cannot be made; `message` is for the requester. */
export class AccessError extends Error {
  readonly problem: AccessProblem;
  /** The wrong fields, if known by field. */
  readonly fields: readonly WrongField[];

  constructor(problem: AccessProblem, message: string, fields: readonly WrongField[] = []) {
    // It may repeat the input, which may be as long as a body.
    super(message.length > MAX_LETTERS ? `${message.slice(0, MAX_LETTERS)}…` : message);
    this.name = "AccessError";
    this.problem = problem;
    this.fields = fields;
  }
}
