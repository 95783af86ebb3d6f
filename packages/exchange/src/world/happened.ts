/** Fields of every happening. */
export interface Happened {
  /**
   * Strictly increasing over all happenings of the world; social happenings are numbered separately, so that they
   * affect no other number.
   */
  seq: number;
  /** Time by the exchange's own clock (for a match: of the match, a block or so before `block_ms`). */
  ms: number;
}
