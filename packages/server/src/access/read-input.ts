import { z } from "zod";
import { AccessError } from "./access-error.ts";

/** Input parsed, or an AccessError that names each wrong field. */
export function readInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`);
  throw new AccessError("invalid", problems.join("; "));
}
