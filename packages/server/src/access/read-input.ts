import { z } from "zod";
import { AccessError } from "./access-error.ts";

/** An e-mail address as it is kept: lower case. */
export const emailInput = z.string().trim().toLowerCase().max(254).pipe(z.email());

/** Input parsed, or an AccessError that names each wrong field. */
export function readInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => ({ path: issue.path.join("."), problem: issue.message }));
  const problems = fields.map(({ path, problem }) => `${path || "input"}: ${problem}`);
  throw new AccessError("invalid", problems.join("; "), fields);
}
