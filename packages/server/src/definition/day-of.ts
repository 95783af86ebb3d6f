import type { Day } from "./fold.ts";

/** The UTC day of a Unix second. */
export const dayOf = (second: number): Day => new Date(second * 1000).toISOString().slice(0, 10);
