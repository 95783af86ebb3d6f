import { z } from "zod";

/** A ticker or an id: short, non-empty text. */
export const name = z.string().min(1).max(200);

/** A fixed-point amount as text, e.g. "444.32" contracts; never a float. */
export const amount = z.string().regex(/^-?\d{1,12}(\.\d{1,6}0*)?$/, "not a fixed-point amount");

/** Dollars per contract as text, 0 to 1. */
export const dollars = z.string().regex(/^(0(\.\d{1,6}0*)?|1(\.0+)?)$/, "not a price of 0 to 1 dollars");

/** The same in whole cents: the schema before 2026-03. */
export const cents = z.int().min(0).max(100);

/** Whole contracts: the schema before 2026-03. */
export const contracts = z.int().min(0).max(999_999_999_999);

/** RFC 3339 with any number of fractional digits. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/, "not an RFC 3339 timestamp")
  .refine((text) => !Number.isNaN(Date.parse(text)), "not a valid calendar time");

/** Ends a walk if null, absent or empty. */
export const pageCursor = z.string().max(4096).nullish();

/** A refinement: each quantity is present under its current name or its older one. */
export function eachUnder(pairs: readonly (readonly [string, string])[]) {
  return (reply: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    for (const [now, then] of pairs) {
      if (reply[now] === undefined && reply[then] === undefined) {
        context.addIssue({ code: "custom", path: [now], message: `neither ${now} nor ${then} is present` });
      }
    }
  };
}
