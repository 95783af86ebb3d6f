/**
 * How figures are computed, for readers: which fields of a row, and their meaning in words and symbols. Names of fields
 * and parameters are in `backticks`; any other name is explained where it appears.
 */
export type Formula = {
  readonly title: string;
  /** Fields of the row that these lines define; empty for intermediate definitions. */
  readonly fields: readonly string[];
  readonly says: readonly string[];
};
