const HOUR_S = 3600;

/** Time ranges of a chart, each with a suitable candle interval. */
export const RANGES = {
  "6h": { label: "6 h", seconds: 6 * HOUR_S, interval: "5m" },
  "1d": { label: "1 day", seconds: 24 * HOUR_S, interval: "15m" },
  "1w": { label: "1 week", seconds: 168 * HOUR_S, interval: "1h" },
  "1m": { label: "1 month", seconds: 720 * HOUR_S, interval: "4h" },
  "1y": { label: "1 year", seconds: 8760 * HOUR_S, interval: "1d" },
} as const;

export type RangeName = keyof typeof RANGES;

/** Seconds of each candle interval. */
export const INTERVAL_S: Readonly<Record<string, number>> = {
  "1m": 60,
  "5m": 300,
  "15m": 900,
  "1h": HOUR_S,
  "4h": 4 * HOUR_S,
  "1d": 24 * HOUR_S,
  "1w": 168 * HOUR_S,
};
