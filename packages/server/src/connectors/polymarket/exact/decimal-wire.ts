import { z } from "zod";

/** Columns of six decimals hold twelve digits before the point. */
const TOO_LARGE = 1e12;
const TEXT = /^-?\d{1,30}(\.\d{1,60})?([eE][+-]?\d{1,2})?$/;

/**
 * A decimal as upstream writes it: a string of digits, or a JSON number in its shortest decimal form. Output: text. One
 * that the store cannot hold is refused, so that it takes no other row with it.
 */
export const decimalWire = z
  .union([z.string().regex(TEXT, "a decimal"), z.number().transform(String)])
  .refine((text) => Math.abs(Number(text)) < TOO_LARGE, "more than twelve digits before the point");
