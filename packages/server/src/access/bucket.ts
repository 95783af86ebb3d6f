import type { Pace } from "./caller.ts";

/** A unit is 60,000 parts and a bucket gains `requestsPerMinute` parts per ms: all integers, so waits are exact. */
export const PARTS = 60_000;

export const fullOf = ({ burst }: Pace): number => burst * PARTS;

/** A bucket's content at a time (Unix ms); negative while it is in debt. */
export type Bucket = { readonly parts: number; readonly at: number };

/** The bucket now, including units returned to it; a never-used one is full. */
export function fillBucket(before: Bucket | undefined, pace: Pace, now: number, back: number): Bucket {
  const full = fullOf(pace);
  if (before === undefined) return { parts: full, at: now };
  const passed = Math.max(0, now - before.at);
  // After a clock was set back, the same milliseconds must not be credited twice.
  const parts = before.parts + passed * pace.requestsPerMinute + back * PARTS;
  return { parts: Math.min(full, parts), at: Math.max(now, before.at) };
}

/** Parts a bucket must hold for a claim; capped at a full bucket, so that no claim is impossible. */
export const partsFor = (pace: Pace, units: number): number => Math.min(units * PARTS, fullOf(pace));

/** The result of a request's claim, for one bucket. */
export type BucketAllowance = {
  readonly allowed: boolean;
  /** Owner of the bucket that decides. */
  readonly of: BucketOwner;
  /** Units per minute that the bucket sustains; a plain request is one. */
  readonly limit: number;
  /** Units available at once after a rest. */
  readonly burst: number;
  /** Single units that would still be allowed now, after this claim. */
  readonly remaining: number;
  /** Seconds (to the millisecond) until `remaining` is `burst` again. */
  readonly resetSeconds: number;
  /** Seconds (to the millisecond) until `remaining` is one more; 0 if it is `burst`. */
  readonly nextSeconds: number;
  /** Seconds (to the millisecond) until the same claim is allowed; 0 if this one was. Round up for Retry-After. */
  readonly retryAfterSeconds: number;
};

export type BucketOwner = "account" | "key";

/** The result of a claim: the bucket that decides, and the other one if there are two. */
export type Allowance = BucketAllowance & { readonly other?: BucketAllowance };

type Reported = { readonly of: BucketOwner; readonly pace: Pace; readonly parts: number; readonly units: number };

/** The allowance of one bucket; `parts` are left after the claim. */
function toAllowance({ of, pace, parts, units }: Reported, allowed: boolean): BucketAllowance {
  const { requestsPerMinute: rate, burst } = pace;
  const full = fullOf(pace);
  const remaining = Math.max(0, Math.floor(parts / PARTS));
  const next = Math.min((remaining + 1) * PARTS, full);
  return {
    allowed,
    of,
    limit: rate,
    burst,
    remaining,
    resetSeconds: secondsToGain(full - parts, rate),
    nextSeconds: secondsToGain(next - parts, rate),
    retryAfterSeconds: allowed ? 0 : secondsToGain(Math.max(0, partsFor(pace, units) - parts), rate),
  };
}

const secondsToGain = (parts: number, rate: number): number => Math.ceil(parts / rate) / 1000;

/**
 * A claim's buckets, the deciding one first: for a refused claim the one with the longest wait, else the one with the
 * fewest left, so that a client that follows its figures is never refused by the other.
 */
export function deciding(first: Reported, second: Reported | undefined, allowed: boolean): Allowance {
  const one = toAllowance(first, allowed);
  if (second === undefined) return one;
  const other = toAllowance(second, allowed);
  return isTighter(other, one) ? { ...other, other: one } : { ...one, other };
}

function isTighter(one: BucketAllowance, other: BucketAllowance): boolean {
  if (one.retryAfterSeconds !== other.retryAfterSeconds) return one.retryAfterSeconds > other.retryAfterSeconds;
  if (one.remaining !== other.remaining) return one.remaining < other.remaining;
  return untilMore(one) > untilMore(other);
}

/** A full bucket gains nothing more. */
const untilMore = ({ nextSeconds, remaining, burst }: BucketAllowance): number =>
  remaining === burst ? Number.POSITIVE_INFINITY : nextSeconds;
