/** A candle as drawn; `texts` are the same figures, exact. */
export type Candle = {
  /** Unix seconds: its begin. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly texts: Readonly<Record<"open" | "high" | "low" | "close" | "volume", string>>;
};

/** Something that happened at a time, shown on the chart. */
export type ChartMark = {
  readonly id: string;
  /** Unix seconds. */
  readonly time: number;
  readonly kind: "up" | "down" | "post";
  readonly text: string;
};
