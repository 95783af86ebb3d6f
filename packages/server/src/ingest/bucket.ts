import type { Limit } from "../definition/connector.ts";

const RESTORE_AFTER_MS = 10_000;
const RESTORE_WHOLE_MS = 120_000;
const LOWEST_FACTOR = 0.05;
const WINDOW_BURST = 0.1;

/** One token bucket of a documented limit, at the speed the upstream bears now. */
export type Bucket = {
  readonly capacity: number;
  readonly perMs: number;
  tokens: number;
  /** How far it may fill: the capacity, or more while a call that costs more than that is saving up. */
  ceiling: number;
  /** Spent by live calls since a backfill's last. */
  liveSpent: number;
  at: number;
  factor: number;
  easedAt: number;
  pausedUntil: number;
};

/**
 * Where the limit documents a bucket depth (`burst`), ours is the share of it. Where it is a count per window, depth
 * and refill of a window together stay within the share, so that no window of that length ever holds more.
 */
export function makeBucket(limit: Limit, share: number, now: number): Bucket {
  const windowMs = limit.perSeconds * 1000;
  const ours = limit.tokens * share;
  const isWindow = limit.burst === undefined;
  const capacity = isWindow ? Math.max(1, ours * WINDOW_BURST) : Math.max(1, (limit.burst ?? 0) * share);
  const perWindow = !isWindow ? ours : ours >= 2 ? ours - capacity : Math.min(1, ours);
  return {
    capacity,
    perMs: perWindow / windowMs,
    tokens: capacity,
    liveSpent: 0,
    ceiling: capacity,
    at: now,
    factor: 1,
    easedAt: Number.NEGATIVE_INFINITY,
    pausedUntil: Number.NEGATIVE_INFINITY,
  };
}

/** Brings the bucket to `now`: tokens for the time passed, and some of the speed back after a calm while. */
export function refill(bucket: Bucket, now: number): void {
  const elapsed = now - bucket.at;
  bucket.at = now;
  bucket.tokens = Math.min(bucket.ceiling, bucket.tokens + elapsed * speedOf(bucket));
  if (bucket.factor < 1 && now - bucket.easedAt > RESTORE_AFTER_MS) {
    bucket.factor = Math.min(1, bucket.factor + elapsed / RESTORE_WHOLE_MS);
  }
}

const speedOf = ({ perMs, factor }: Bucket): number => perMs * factor;

/** Milliseconds until `cost` with `reserve` left over can be paid; 0 when it can be now. */
export function waitFor(bucket: Bucket, cost: number, reserve: number, now: number): number {
  if (bucket.pausedUntil > now) return bucket.pausedUntil - now;
  const { capacity } = bucket;
  if (cost > capacity) bucket.ceiling = Math.max(bucket.ceiling, cost);
  const kept = cost + reserve <= capacity ? reserve : 0;
  const missing = cost + kept - bucket.tokens;
  return missing <= 1e-9 ? 0 : Math.ceil(missing / speedOf(bucket));
}

export function pay(bucket: Bucket, cost: number, isBackfill: boolean): void {
  bucket.tokens -= cost;
  bucket.liveSpent = isBackfill ? 0 : bucket.liveSpent + cost;
  bucket.ceiling = bucket.capacity;
}

export type Easing = {
  /** What the speed is multiplied by, 0 to 1. */
  readonly by: number;
  /** Several signs of the same moment count once. */
  readonly atMostEveryMs?: number;
  /** The speed never gets lower than this share for such a sign. */
  readonly lowest?: number;
};

/** Slows the bucket down; false where that was done a moment ago or it is slow enough. */
export function slowDown(
  bucket: Bucket,
  { by, atMostEveryMs = 1000, lowest = LOWEST_FACTOR }: Easing,
  now: number,
): boolean {
  if (now - bucket.easedAt < atMostEveryMs || bucket.factor <= lowest) return false;
  bucket.factor = Math.max(lowest, bucket.factor * by);
  bucket.tokens = Math.min(bucket.tokens, bucket.capacity * bucket.factor);
  bucket.easedAt = now;
  return true;
}
