import { z } from "zod";

/** Gamma writes lists as JSON inside a string (`"[\"Yes\", \"No\"]"`); "" is an empty one. Output: the items. */
export function jsonListWire<T extends z.ZodType>(item: T) {
  return z
    .string()
    .transform((text, context): unknown => {
      if (text === "") return [];
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: "Expected JSON inside the string" });
        return z.NEVER;
      }
    })
    .pipe(z.array(item).max(1000));
}
