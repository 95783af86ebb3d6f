import type { Happening } from "./contract.ts";

/** Options of createWorld. Same seed, start, days and sizes → the same happenings, whatever the clock does. */
export interface WorldOptions {
  seed: number;
  /** World time now, ms. Tests pass a constant or their own variable; the server passes a clock that may run faster. */
  clock: () => number;
  /** Start time of the world. Default: `clock()` at creation minus `days`, rounded down to five minutes. */
  from_ms?: number;
  /** Days of history simulated at creation; default 3. History covers `from_ms` to `clock()`. */
  days?: number;
  /** Standing Polymarket events in addition to the 5-minute series; default 120 (≈ 300 markets). */
  events?: number;
  /** Wallets; default 1500. */
  wallets?: number;
  /** Multiplies all trading rates; default 1 (≥ 100,000 fills in 3 days). */
  activity?: number;
  /** Concurrent Kalshi markets; default 100. */
  kalshi_markets?: number;
  /** Matches before this time settle on the V1 exchange. Default: the first quarter of the history. */
  v2_from_ms?: number;
  /** Distance of Kalshi's history cutoff from now; default a third of `days`. */
  kalshi_cutoff_ms?: number;
  /** Receives every happening from the start, history and book changes included. */
  listener?: (happening: Happening) => void;
  /** Multiplies the number of posts; 0 for none. Default 1. */
  talk?: number;
  /** Share of events and posts with hostile texts, 0 to 1. Default 0, which draws nothing. */
  hostile?: number;
}
