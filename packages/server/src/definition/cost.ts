/**
 * What a dataset's questions cost, in units of the CPU of an ordinary page (some 15 ms where the column engine answers);
 * what it does not say is as of most datasets.
 */
export type Cost<Name extends string = string> = {
  /** Of a page about one item, or about all where none are asked for. */
  readonly base?: number;
  /** Of each further wallet, token, market or phrase. */
  readonly each?: number;
  /** In place of `base` where the day of DatasetDefinition.asOf is given: what is kept of today is made for that day. */
  readonly past?: number;
  /** A window of so many days doubles what it costs, of twice as many makes it three times as much. */
  readonly days?: number;
  /** The parameter that has the window's days, where DatasetDefinition.range has none. */
  readonly window?: Name;
};

export const USUAL_COST = { base: 1, each: 0.01 } as const;
/** Of a question that names no item and filters: rows are looked at until there are enough. */
export const SCAN_BASE = 3;
/** A file is written by the column engine, whatever answers pages. */
export const FILE_TIMES = 2;
export const ROWS_OF_A_UNIT = 1_500;
/** Rows before the page are walked past, not written. */
export const PASSED_ROWS_OF_A_UNIT = 50_000;
/** Of "all" and of a window without a beginning. */
export const DAYS_OF_ALL = 365;
export const MOST_UNITS = 100;
