/** Extents in buckets, the same at every resolution. */
export const EXTENTS = {
  /** The scale of usual returns is that of so many buckets before a move. */
  window: 96,
  /** A move takes at most so many buckets. */
  drift: 6,
  /** A change is reverted when half of it is given back within so many buckets. */
  reverted: 10,
  /** Rows hang on others so near: a peak on its neighbours, a reversal on what follows. */
  near: 12,
  /** How far back a row's statistic reads: window, move, and the returns of the first of them. */
  reach: 114,
} as const;
