import type { ReadBytes, ReadRows } from "./day-derivation.ts";

/** Engine access while computing an answer, besides its statement; the same object for as long as a store is open. */
export type ReadEngine = { readonly rows: ReadRows; readonly bytes: ReadBytes };
