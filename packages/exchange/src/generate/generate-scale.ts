/** Sizes of the parts of a generated world. */
export interface GenerateScale {
  /** Fills per shard; there are two. */
  fills: number;
  /** Concurrent standing events per shard. */
  events: number;
  wallets: number;
  activity: number;
  /** Length of the up/down windows, minutes. */
  minutes: number;
  /** World days over which the fills should spread. */
  days: number;
  /** Standing markets whose books are written, per shard. */
  books: number;
  kalshi_markets: number;
  kalshi_activity: number;
}

/** Fills per day of a standing event at activity 1, and fills per up/down window (measured). */
const EVENT_FILLS = 415;
const WINDOW_FILLS = 31;

/** Sizes for a number of fills; e.g. 20 million over 200 days: 60,000 wallets, tens of thousands of markets. */
export function generateScale(fills: number, days: number, wallets?: number): GenerateScale {
  const scale = (fills / 20_000_000) * (200 / days);
  const events = Math.max(30, Math.min(3000, Math.round(600 * scale ** 0.6)));
  const minutes = scale >= 0.25 ? 15 : scale >= 0.025 ? 60 : 240;
  const standing = Math.max(100, fills / 2 / days - (1440 / minutes) * WINDOW_FILLS);
  return {
    fills: Math.ceil(fills / 2),
    events,
    wallets:
      wallets === undefined
        ? Math.max(400, Math.min(150_000, Math.round(30_000 * scale ** 0.6)))
        : Math.ceil(wallets / 2),
    activity: standing / (events * EVENT_FILLS),
    minutes,
    days,
    books: Math.max(4, Math.min(40, Math.round(20 * scale ** 0.5))),
    kalshi_markets: 60,
    kalshi_activity: Math.min(0.4, 0.25 * scale ** 0.5),
  };
}
