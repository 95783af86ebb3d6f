/** Extents in buckets, the same at every resolution. */
export const EXTENTS = {
  /** Number of buckets before a move that give the scale of usual returns. */
  window: 96,
  /** Number of recent buckets whose scale is the lower bound, because volatility of returns varies over time. */
  lately: 20,
  /** Most buckets that a move takes. */
  drift: 6,
  /** A change is reverted if half of it is given back within this many buckets. */
  reverted: 10,
  /** Distance of rows that depend on each other: a peak on its neighbours, a reversal on what follows. */
  near: 12,
  /** Lookback of a row's statistic: window, move, and the returns of the first of them. */
  reach: 114,
} as const;
