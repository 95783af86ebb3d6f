/**
 * A range of blocks whose rows are given completely: any other stored rows of these blocks belong to an abandoned fork.
 * `since` is the timestamp (ISO) of the block before the first, `until` that of the last.
 */
export type BlockScope = {
  readonly from: number;
  readonly to: number;
  readonly since: string;
  readonly until: string;
  /** Transactions to leave alone: their stored rows are not touched. */
  readonly except?: readonly string[];
};
