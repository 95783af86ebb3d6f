/**
 * How figures are worked out, for people: which fields of a row, and what they are, in words and symbols. Names of
 * fields and parameters stand in `backticks`; whatever else has a name is explained where it stands.
 */
export type Formula = {
  readonly title: string;
  /** Fields of the row that these lines define; none for what others build on. */
  readonly fields: readonly string[];
  readonly says: readonly string[];
};
