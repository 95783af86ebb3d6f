/** Open, high, low, close in 1e-4 USD. */
export interface Ohlc {
  open: number;
  high: number;
  low: number;
  close: number;
}

/** One period of one market; `end_ts` = its inclusive end in Unix seconds. */
export interface Candle {
  end_ts: number;
  /** Null when nothing traded in the period. */
  price: (Ohlc & { mean: number }) | null;
  /** Last price traded before the period. */
  previous: number | null;
  bid: Ohlc;
  ask: Ohlc;
  volume_cc: number;
  open_interest_cc: number;
}
