import type { Pace } from "./caller.ts";

/** A unit counts 60,000 parts and a bucket gains `requestsPerMinute` parts a millisecond: all whole numbers, so waits are exact. */
export const PARTS = 60_000;

export const fullOf = ({ burst }: Pace): number => burst * PARTS;

/** What a bucket held at a moment (Unix ms); less than nothing while it is in debt. */
export type Bucket = { readonly parts: number; readonly at: number };

/** The bucket now, with units that are given back to it; one that was never used is full. */
export function fillBucket(before: Bucket | undefined, pace: Pace, now: number, back: number): Bucket {
  const full = fullOf(pace);
  if (before === undefined) return { parts: full, at: now };
  const passed = Math.max(0, now - before.at);
  // A clock set back must not give the same milliseconds twice.
  const parts = before.parts + passed * pace.requestsPerMinute + back * PARTS;
  return { parts: Math.min(full, parts), at: Math.max(now, before.at) };
}

/** What a bucket must hold for so many units: of more than a full one has, all of it, so that nothing is impossible. */
export const partsFor = (pace: Pace, units: number): number => Math.min(units * PARTS, fullOf(pace));

/** The answer to a question's claim on an allowance, told of one bucket. */
export type BucketAllowance = {
  readonly allowed: boolean;
  /** Whose bucket decides. */
  readonly of: BucketOwner;
  /** Units a minute that the bucket sustains; a plain request is one. */
  readonly limit: number;
  /** Units at once after a rest. */
  readonly burst: number;
  /** Units that would be allowed one by one now, after this claim. */
  readonly remaining: number;
  /** Seconds (to the millisecond) until `remaining` is `burst` again. */
  readonly resetSeconds: number;
  /** Seconds (to the millisecond) until `remaining` is one more; 0 where it is `burst`. */
  readonly nextSeconds: number;
  /** Seconds (to the millisecond) until the same claim is allowed; 0 when this one was. Round up for Retry-After. */
  readonly retryAfterSeconds: number;
};

export type BucketOwner = "account" | "key";

/** What is told of a claim: of the bucket that decides, and of the other where there are two. */
export type Allowance = BucketAllowance & { readonly other?: BucketAllowance };

type Told = { readonly of: BucketOwner; readonly pace: Pace; readonly parts: number; readonly units: number };

/** What a caller is told of one bucket; `parts` are what is left after the claim. */
function toAllowance({ of, pace, parts, units }: Told, allowed: boolean): BucketAllowance {
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
 * A claim's buckets, first the one that decides: for a refused claim the one that it waits for longest, else the one
 * with the fewest left, so that who asks as often as it says is never refused by the other.
 */
export function deciding(first: Told, second: Told | undefined, allowed: boolean): Allowance {
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

/** A full bucket will never have more. */
const untilMore = ({ nextSeconds, remaining, burst }: BucketAllowance): number =>
  remaining === burst ? Number.POSITIVE_INFINITY : nextSeconds;
