/** What every happening carries. */
export interface Happened {
  /** Strictly increasing over all happenings of the world. */
  seq: number;
  /** Moment of the exchange's own clock (for a match: of the match, a block or so before `block_ms`). */
  ms: number;
}
