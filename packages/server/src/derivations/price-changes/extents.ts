/** Extents in buckets, the same at every resolution. */
export const EXTENTS = {
  /** The scale of usual returns is that of so many buckets before a move. */
  window: 96,
  /** The scale is at least that of so many: returns are wilder at some times than at others. */
  lately: 20,
  /** A move takes at most so many buckets. */
  drift: 6,
  /** A change is reverted when half of it is given back within so many buckets. */
  reverted: 10,
  /** Rows hang on others so near: a peak on its neighbours, a reversal on what follows. */
  near: 12,
  /** How far back a row's statistic reads: window, move, and the returns of the first of them. */
  reach: 114,
} as const;
