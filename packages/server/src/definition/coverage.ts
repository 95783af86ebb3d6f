import type { Span } from "./spans.ts";
import type { TableDefinition } from "./table.ts";

/** A time span in which rows may be missing, and why. `to` is null while it lasts. */
export type Gap = { readonly from: string; readonly to: string | null; readonly reason: string };

/** The span held by the serving index that answered: all rows from `from` on, stored up to `to`. Null is unbounded. */
export type IndexSpan = { readonly from: string | null; readonly to: string | null };

/** How completely the store holds the requested rows. `complete` is false if rows existing upstream may be missing. */
export type Coverage = {
  readonly complete: boolean;
  readonly from: string | null;
  readonly to: string | null;
  readonly gaps: readonly Gap[];
  /** Why it is not complete, one sentence each; empty when it is. */
  readonly reasons: readonly string[];
  /** Whether part of the requested time may be complete: no reason applies regardless of the range. */
  readonly isOfRange?: boolean;
  /** Absent where the column engine answered. */
  readonly index?: IndexSpan | undefined;
};

/**
 * The scope of a coverage query: ISO timestamps (an absent bound is open); one venue, where tables hold rows of
 * several; the instruments (tokens, tickers), where the response has only these; for a later page, when its walk began.
 */
export type Requested = {
  readonly from?: string;
  readonly to?: string;
  readonly venue?: string;
  /** The same for several venues. */
  readonly venues?: readonly string[];
  readonly instruments?: readonly string[];
  /** Rows stored since then are not in the response. */
  readonly began?: string;
};

/** Computes the coverage of tables (by name). */
export type CoverageOf = (tables: readonly string[], requested: Requested) => Promise<Coverage>;

/** Venue → when its rows were gathered: ascending, disjoint spans; none for a venue that is off or never delivered. */
export type Held = Readonly<Record<string, readonly Span[]>>;

/** The same for a table, by name. */
export type HeldOf = (table: string) => Promise<Held>;

/** Any process that derives a table from tables, as coverage sees it. */
export type Maker = {
  readonly name: string;
  readonly title: string;
  readonly from: readonly TableDefinition[];
  /** Those of `from` that only refine its rows, as quotes do prices: no row is missing where they do not reach back. */
  readonly finerBy?: readonly TableDefinition[];
  readonly into: TableDefinition;
  /** How often it runs; it is late when nothing was computed for twice this time plus a minute. */
  readonly everySeconds: number;
};
