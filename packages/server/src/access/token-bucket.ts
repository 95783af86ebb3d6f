import type { Allowance } from "./allowances.ts";
import type { CallerPlan } from "./caller.ts";

export type Pace = Pick<CallerPlan, "requestsPerMinute" | "burst">;

/** What a bucket held at a moment (Unix ms). */
export type Bucket = { readonly parts: number; readonly at: number };

/** A request counts 60,000 parts and a bucket gains `requestsPerMinute` parts a millisecond: all whole numbers, so waits are exact. */
export const PARTS = 60_000;

export const fullOf = ({ burst }: Pace): number => burst * PARTS;

/** The bucket now; one that was never used is full. */
export function fillBucket(before: Bucket | undefined, pace: Pace, now: number): Bucket {
  const full = fullOf(pace);
  if (before === undefined) return { parts: full, at: now };
  const passed = Math.max(0, now - before.at);
  // A clock set back must not give the same milliseconds twice.
  return { parts: Math.min(full, before.parts + passed * pace.requestsPerMinute), at: Math.max(now, before.at) };
}

/** What a caller is told; `parts` are what is left after the request. */
export function toAllowance(pace: Pace, allowed: boolean, parts: number): Allowance {
  const { requestsPerMinute: rate, burst } = pace;
  return {
    allowed,
    limit: rate,
    burst,
    remaining: Math.floor(parts / PARTS),
    resetSeconds: secondsToGain(fullOf(pace) - parts, rate),
    retryAfterSeconds: allowed ? 0 : secondsToGain(PARTS - parts, rate),
  };
}

const secondsToGain = (parts: number, rate: number): number => Math.ceil(parts / rate) / 1000;
