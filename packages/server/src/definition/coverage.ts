/** A span of time in which rows may be missing, and why. `to` is null while it lasts. */
export type Gap = { readonly from: string; readonly to: string | null; readonly reason: string };

/** What the serving index that answered holds: all rows from a moment on, and what was stored up to one. Null has no bound. */
export type IndexSpan = { readonly from: string | null; readonly to: string | null };

/** What the store holds of what was asked. `complete` is false whenever rows that exist upstream could be missing. */
export type Coverage = {
  readonly complete: boolean;
  readonly from: string | null;
  readonly to: string | null;
  readonly gaps: readonly Gap[];
  /** Why it is not complete, in a sentence each; empty when it is. */
  readonly reasons: readonly string[];
  /** Whether a part of the time asked for may be complete: no reason holds whatever is asked. */
  readonly isOfRange?: boolean;
  /** Absent where the column engine answered. */
  readonly index?: IndexSpan | undefined;
};

/**
 * Of what coverage is asked: ISO moments, an absent bound is open; one venue, where tables hold several venues' rows;
 * the instruments (tokens, tickers), where the answer is of these alone; when the walk began whose later page it is.
 */
export type Asked = {
  readonly from?: string;
  readonly to?: string;
  readonly venue?: string;
  /** The same for several venues. */
  readonly venues?: readonly string[];
  readonly instruments?: readonly string[];
  /** What was stored since is not in the answer. */
  readonly began?: string;
};

/** Coverage of tables (by name). */
export type CoverageOf = (tables: readonly string[], asked: Asked) => Promise<Coverage>;
