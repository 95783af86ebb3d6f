import { z } from "zod";

/**
 * A list of at most `most` items. Its length is checked first, and validation stops at the first invalid item: a list
 * of a million invalid items costs no more than one.
 */
export function listOf<T extends z.ZodType>(item: T, most: number) {
  return z
    .array(z.unknown())
    .max(most)
    .transform((items, context): z.output<T>[] => {
      const read: z.output<T>[] = [];
      for (const [index, one] of items.entries()) {
        const parsed = item.safeParse(one);
        if (!parsed.success) {
          for (const { message, path } of parsed.error.issues) {
            context.issues.push({ code: "custom", message, path: [index, ...path], input: one });
          }
          return z.NEVER;
        }
        read.push(parsed.data);
      }
      return read;
    });
}
