/** A stretch of time in Unix ms; `from` may be -Infinity. */
export type HeldSpan = { readonly from: number; readonly to: number };

/** Venue → when its rows were gathered, ascending and apart. A venue that is off, or never brought anything, has none. */
export type Held = Readonly<Record<string, readonly HeldSpan[]>>;

/** Of a table by name. */
export type HeldOf = (table: string) => Promise<Held>;
