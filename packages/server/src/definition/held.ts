import type { Span } from "./spans.ts";

/** Venue → when its rows were gathered: ascending, disjoint spans; none for a venue that is off or never delivered. */
export type Held = Readonly<Record<string, readonly Span[]>>;

/** The same for a table, by name. */
export type HeldOf = (table: string) => Promise<Held>;
