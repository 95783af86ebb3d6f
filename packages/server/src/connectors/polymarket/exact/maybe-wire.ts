import { z } from "zod";

/** Upstream writes a missing value as "", null or nothing. All three become undefined; anything else must fit. */
export function maybeWire<T extends z.ZodType>(wire: T) {
  return z.preprocess((value) => (value === "" || value === null ? undefined : value), wire.optional());
}
