/** Unix seconds, both inclusive, of which rows were taken away. */
export type LeftSpan = { readonly from: number; readonly to: number };
