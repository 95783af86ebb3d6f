import { z } from "zod";

/** Whether an answer was refused by its schema (the feed names that UpstreamChanged): a narrower range cannot help. */
export function isWrongShape(error: unknown): boolean {
  return error instanceof z.ZodError || (error instanceof Error && error.name === "UpstreamChanged");
}
