/** A candle as drawn; `texts` are the same figures, exact. */
export type Candle = {
  /** Start time in Unix seconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly texts: Readonly<Record<"open" | "high" | "low" | "close" | "volume", string>>;
};

/** A timed event marked on the chart. */
export type ChartMark = {
  readonly id: string;
  /** Unix seconds. */
  readonly time: number;
  readonly kind: "up" | "down" | "post";
  readonly text: string;
};
