/**
 * The cost of a dataset's requests, in units of an ordinary page's CPU time (some 15 ms where the column engine
 * answers); absent fields take the usual values.
 */
export type Cost<Name extends string = string> = {
  /** For a page about one item, or about all items where none are requested. */
  readonly base?: number;
  /** For each further wallet, token, market or phrase. */
  readonly each?: number;
  /** Replaces `base` where the day of DatasetDefinition.asOf is given: today's cached figures are recomputed for it. */
  readonly past?: number;
  /** A window of this many days doubles the cost, one of twice as many triples it. */
  readonly days?: number;
  /** The parameter that gives the window in days, where DatasetDefinition.range has none. */
  readonly window?: Name;
};

export const USUAL_COST = { base: 1, each: 0.01 } as const;
/** Base cost of a request that filters without naming an item: rows are scanned until enough match. */
export const SCAN_BASE = 3;
/** The column engine always writes files, whatever answers pages. */
export const FILE_TIMES = 2;
export const ROWS_OF_A_UNIT = 1_500;
/** Rows before the page are skipped, not written, and so cost less. */
export const PASSED_ROWS_OF_A_UNIT = 50_000;
/** Days charged for "all" and for a window without a beginning. */
export const DAYS_OF_ALL = 365;
export const MAX_UNITS = 100;
