import { z } from "zod";

/** A condition id as 0x-hex of 32 bytes in lower case. The 31-byte ids of PolyV2 are padded right, as upstream does. */
export const conditionWire = z
  .string()
  .regex(/^0x([0-9a-fA-F]{62}|[0-9a-fA-F]{64})$/, "a condition id of 31 or 32 bytes")
  .transform((id) => id.toLowerCase().padEnd(66, "0"));

/** Columns of six decimals have twelve digits before the point. */
export const TOO_LARGE = 1e12;
const TEXT = /^-?\d{1,30}(\.\d{1,60})?([eE][+-]?\d{1,3})?$/;

/**
 * A decimal as upstream writes it: a string of digits, or a JSON number in its shortest decimal form. Output: text.
 * Refuses a value that the store cannot hold, so that it does not fail the rest of its batch.
 */
export const decimalWire = z
  .union([z.string().regex(TEXT, "a decimal"), z.number().transform(String)])
  .refine((text) => Math.abs(Number(text)) < TOO_LARGE, "more than twelve digits before the point");

/** A decimal that is not below zero. */
export const amountWire = decimalWire.refine((text) => Number(text) >= 0, "below zero");

/** 0x-hex of exactly so many bytes, in lower case. */
export const hexWire = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`), `0x-hex of ${bytes} bytes`)
    .toLowerCase();

/** Upstream writes a missing value as "", null or not at all. All three become undefined; anything else must match. */
export function maybeWire<T extends z.ZodType>(wire: T) {
  return z.preprocess((value) => (value === "" || value === null ? undefined : value), wire.optional());
}

/** The last Unix second that the store holds, in 2106. */
export const LAST_SECOND = 4_294_967_295;

/** A Unix second that the store holds. */
export const secondWire = z.number().int().min(0).max(LAST_SECOND);

/** A position id: a uint256 in decimal digits. Never a JSON number, which cannot hold one. */
export const tokenWire = z.string().regex(/^\d{1,78}$/, "a decimal uint256");

/** The number of an outcome in its market; the store writes 255 for an unknown one. */
export const outcomeWire = z.number().int().min(0).max(254);
