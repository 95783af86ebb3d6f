import { RANGES, type RangeName } from "../../read/ranges.ts";

const HOUR_S = 3600;

/** Bucket of each range, in seconds, with its name in dataset 1007. */
const BUCKETS: Readonly<Record<RangeName, { readonly interval: string; readonly seconds: number }>> = {
  "6h": { interval: "15m", seconds: HOUR_S / 4 },
  "1d": { interval: "1h", seconds: HOUR_S },
  "1w": { interval: "1h", seconds: HOUR_S },
  "1m": { interval: "1d", seconds: 24 * HOUR_S },
  "1y": { interval: "1d", seconds: 24 * HOUR_S },
};

type TalkRange = {
  readonly interval: string;
  readonly hours: number;
  /** It is shorter than the requested range. */
  readonly isCut: boolean;
};

/**
 * The hours back to request: no more than a page of `most` buckets has room for. The dataset's rows are oldest first,
 * so a longer range would lose its newest buckets.
 */
export function talkRangeOf(range: RangeName, most: number): TalkRange {
  const { interval, seconds } = BUCKETS[range];
  const requested = RANGES[range].seconds / HOUR_S;
  // Now lies within the last bucket, and the start within the first.
  const hours = Math.min(requested, Math.max(1, Math.floor(((most - 1) * seconds) / HOUR_S)));
  return { interval, hours, isCut: hours < requested };
}
