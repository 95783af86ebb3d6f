import { z } from "zod";
import { DatabaseError, RecordsError, type RecordsProblem } from "../records/records-error.ts";

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

/** The library's messages, which use its own and JavaScript's words, in plain ones; messages of schemas stay. */
const PLAIN: readonly (readonly [library: RegExp, plain: string])[] = [
  [/^Invalid input: expected (.*), received undefined$/, "is missing: expected $1"],
  [/^Invalid input: expected (.*), received (.*)$/, "expected $1, got $2"],
  [/^Invalid option: expected one of (.*)$/, "expected one of $1"],
  [/^Too small: expected string to have >=(\d+) characters?$/, "is too short: expected $1 or more characters"],
  [/^Too big: expected string to have <=(\d+) characters?$/, "is too long: expected $1 or fewer characters"],
  [/^Too small: expected array to have >=(\d+) items?$/, "has too few items: expected $1 or more"],
  [/^Too big: expected array to have <=(\d+) items?$/, "has too many items: expected $1 or fewer"],
  [/^Too small: expected (?:number|int) to be >(=?)(.*)$/, "is too small: expected >$1 $2"],
  [/^Too big: expected (?:number|int) to be <(=?)(.*)$/, "is too large: expected <$1 $2"],
  [/^Unrecognized keys?: (.*)$/, "has unknown fields: $1"],
];

function problemOf(message: string): string {
  const [library, plain] = PLAIN.find(([pattern]) => pattern.test(message)) ?? [];
  return library === undefined || plain === undefined ? message : message.replace(library, plain);
}

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

const AWAY: ReadonlySet<RecordsProblem> = new Set(["busy", "unreachable", "disk_full"]);
/**
 * SQLSTATEs: the connection was lost, the server has no space or connection left, is shutting down, is read-only, or
 * cancelled a statement or transaction that took too long.
 */
const AWAY_CODE = /^(08|53|57P|57014|25006|25P03)/;

/** Whether the failure means that the control records are unavailable, and not that the request is wrong. */
export function isRecordsAway(error: unknown): boolean {
  if (error instanceof RecordsError) return AWAY.has(error.problem);
  return error instanceof DatabaseError && AWAY_CODE.test(error.code ?? "");
}
