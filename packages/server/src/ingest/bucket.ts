import type { Limit } from "../definition/connector.ts";

const RESTORE_AFTER_MS = 10_000;
const RESTORE_WHOLE_MS = 120_000;
const LOWEST_FACTOR = 0.05;
const WINDOW_BURST = 0.1;

/** One token bucket of a documented limit, at the rate the upstream currently tolerates. */
export type Bucket = {
  readonly capacity: number;
  readonly perMs: number;
  tokens: number;
  /** Fill limit: the capacity, or more while a call that costs more than the capacity saves up. */
  ceiling: number;
  /** Tokens spent by live calls since the last backfill call. */
  liveSpent: number;
  at: number;
  factor: number;
  easedAt: number;
  pausedUntil: number;
};

/**
 * If the limit documents a bucket depth (`burst`), ours is our share of it. If it is a count per window, the depth plus
 * one window's refill stays within our share, so no window of that length exceeds it.
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

/** Advances the bucket to `now`: adds tokens for the elapsed time, and restores some rate after a quiet period. */
export function refill(bucket: Bucket, now: number): void {
  const elapsed = now - bucket.at;
  bucket.at = now;
  bucket.tokens = Math.min(bucket.ceiling, bucket.tokens + elapsed * speedOf(bucket));
  if (bucket.factor < 1 && now - bucket.easedAt > RESTORE_AFTER_MS) {
    bucket.factor = Math.min(1, bucket.factor + elapsed / RESTORE_WHOLE_MS);
  }
}

const speedOf = ({ perMs, factor }: Bucket): number => perMs * factor;

/** Milliseconds until `cost` can be paid with `reserve` left over; 0 if it can be paid now. */
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
  /** Factor to multiply the rate by, 0 to 1. */
  readonly by: number;
  /** Repeated signals within this time (ms) count once. */
  readonly atMostEveryMs?: number;
  /** Such a signal never lowers the rate below this share. */
  readonly lowest?: number;
};

/** Slows the bucket down; returns false if that was just done or the rate is at its minimum. */
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
