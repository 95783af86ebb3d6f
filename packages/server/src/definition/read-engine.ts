import type { ReadBytes, ReadRows } from "./day-derivation.ts";

/** What may be asked of the engine for an answer besides its statement; the same value for as long as a store is open. */
export type ReadEngine = { readonly rows: ReadRows; readonly bytes: ReadBytes };
