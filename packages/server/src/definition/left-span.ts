/** A span in Unix seconds, both inclusive, from which rows were removed. */
export type LeftSpan = { readonly from: number; readonly to: number };
