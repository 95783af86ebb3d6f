import { z } from "zod";

const MIN_DIFFERENT = 5;

/** A password that somebody chooses. Length counts, not kinds of characters. */
export const passwordInput = z
  .string()
  .min(12, "at least 12 characters")
  .max(200, "at most 200 characters")
  .refine((text) => new Set(text).size >= MIN_DIFFERENT, `at least ${MIN_DIFFERENT} different characters`);
