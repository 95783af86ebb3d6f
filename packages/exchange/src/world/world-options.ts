import type { Happening } from "./contract.ts";

/** What createWorld takes. Same seed, start, days and sizes → the same happenings, whatever the clock does. */
export interface WorldOptions {
  seed: number;
  /** World time now, ms. Tests pass a constant or a variable of theirs; the server passes a clock that may run faster. */
  clock: () => number;
  /** First moment of the world. Default: `clock()` at creation, less `days`, cut to five minutes. */
  from_ms?: number;
  /** Days of history made at creation; default 3. History runs from `from_ms` to `clock()`. */
  days?: number;
  /** Standing Polymarket events besides the 5-minute series; default 120 (≈ 300 markets). */
  events?: number;
  /** Wallets; default 1500. */
  wallets?: number;
  /** Multiplies how often everybody trades; default 1 (≥ 100,000 fills in 3 days). */
  activity?: number;
  /** Kalshi markets standing at a time; default 100. */
  kalshi_markets?: number;
  /** Matches before this moment settle on the V1 exchange. Default: the first quarter of the history. */
  v2_from_ms?: number;
  /** Kalshi's history cutoff lies this long before now; default a third of `days`. */
  kalshi_cutoff_ms?: number;
  /** Hears everything from the first moment, history and book changes included. */
  listener?: (happening: Happening) => void;
  /** How much people talk, times the usual; 0 is silence. Default 1. */
  talk?: number;
  /** Share of events and posts whose texts attack whoever shows them, 0 to 1. Default 0, which draws nothing. */
  hostile?: number;
}
