/** By which stream a walk is woken: that one hears of rows sooner than they can be read here. */
export type WokenBy = {
  readonly stream: string;
  /** The column whose values are heard of (a transaction). */
  readonly column: string;
  /** The least rest between two turns. */
  readonly restSeconds: number;
  /** So many turns are taken for what was heard of and does not come. */
  readonly turns: number;
};
