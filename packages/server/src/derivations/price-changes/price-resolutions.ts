/** The resolutions of price changes and their lengths in seconds, finest first. */
export const PRICE_RESOLUTIONS = {
  "1m": 60,
  "5m": 300,
  "15m": 900,
  "1h": 3600,
  "4h": 14_400,
  "1d": 86_400,
} as const;

/** Resolutions that are computed together, finest first. */
export type Resolutions = readonly (keyof typeof PRICE_RESOLUTIONS)[];
