/** What every happening carries. */
export interface Happened {
  /** Strictly increasing over all happenings of the world; those of the talk are numbered apart, so that talk moves nothing else. */
  seq: number;
  /** Moment of the exchange's own clock (for a match: of the match, a block or so before `block_ms`). */
  ms: number;
}
