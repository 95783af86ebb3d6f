import type { Span } from "./spans.ts";

/** Venue → when its rows were gathered, ascending and apart. A venue that is off, or never brought anything, has none. */
export type Held = Readonly<Record<string, readonly Span[]>>;

/** Of a table by name. */
export type HeldOf = (table: string) => Promise<Held>;
