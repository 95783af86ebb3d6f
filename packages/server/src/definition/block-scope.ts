/**
 * A run of blocks whose rows are told whole: what a table holds of them beside these was of a chain that is no more.
 * `since` is the moment (ISO) of the block before the first, `until` that of the last.
 */
export type BlockScope = {
  readonly from: number;
  readonly to: number;
  readonly since: string;
  readonly until: string;
  /** Transactions of which nothing is said: their rows stay as they are. */
  readonly except?: readonly string[];
};
