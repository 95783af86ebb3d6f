import { LRUCache } from "lru-cache";
import type { CallerPlan } from "./caller.ts";

type Pace = Pick<CallerPlan, "requestsPerMinute" | "burst">;

/** What a bucket held at a moment (Unix ms). */
type Bucket = { readonly parts: number; readonly at: number };

/** A request counts 60,000 parts and a bucket gains `requestsPerMinute` parts a millisecond: all whole numbers, so waits are exact. */
export const PARTS = 60_000;

export const fullOf = ({ burst }: Pace): number => burst * PARTS;

/** The bucket now; one that was never used is full. */
function fillBucket(before: Bucket | undefined, pace: Pace, now: number): Bucket {
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
    nextSeconds: secondsToGain(Math.min(PARTS - (parts % PARTS), fullOf(pace) - parts), rate),
    retryAfterSeconds: allowed ? 0 : secondsToGain(PARTS - parts, rate),
  };
}

const secondsToGain = (parts: number, rate: number): number => Math.ceil(parts / rate) / 1000;

/** The answer to one request's claim on a key's allowance. */
export type Allowance = {
  readonly allowed: boolean;
  /** Requests a minute that the plan sustains. */
  readonly limit: number;
  /** Requests at once after a rest. */
  readonly burst: number;
  /** Requests that would be allowed now, after this one. */
  readonly remaining: number;
  /** Seconds (to the millisecond) until `remaining` is `burst` again. */
  readonly resetSeconds: number;
  /** Seconds (to the millisecond) until `remaining` is one more; 0 where it is `burst`. */
  readonly nextSeconds: number;
  /** Seconds (to the millisecond) until one request is allowed; 0 when this one was. Round up for Retry-After. */
  readonly retryAfterSeconds: number;
};

/** Whose allowance it is: a key's, or a user's own. */
export type Claimant = { readonly keyId: string; readonly plan: Pace };

/** Where allowances are kept: in this process, or in Redis for all processes. */
export type Allowances = {
  /** Takes one request. A refused request takes nothing. */
  readonly take: (claimant: Claimant) => Promise<Allowance>;
  /** What `take` would find now, without taking: `remaining` counts the request that is not made. */
  readonly peek: (claimant: Claimant) => Promise<Allowance>;
};

export type MemoryAllowances = Allowances & {
  /** Puts down what is known of a bucket from elsewhere. */
  readonly keep: (keyId: string, parts: number) => void;
};

const MAX_KEYS = 100_000;

/** Token buckets in this process, one a key. `clock` in milliseconds. */
export function memoryAllowances(clock: () => number): MemoryAllowances {
  const buckets = new LRUCache<string, Bucket>({ max: MAX_KEYS });
  const filled = ({ keyId, plan }: Claimant): Bucket => fillBucket(buckets.get(keyId), plan, Math.floor(clock()));
  return {
    take: async (claimant) => {
      const { parts: before, at } = filled(claimant);
      const allowed = before >= PARTS;
      const parts = allowed ? before - PARTS : before;
      buckets.set(claimant.keyId, { parts, at });
      return toAllowance(claimant.plan, allowed, parts);
    },
    peek: async (claimant) => {
      const { parts } = filled(claimant);
      return toAllowance(claimant.plan, parts >= PARTS, parts);
    },
    keep: (keyId, parts) => {
      buckets.set(keyId, { parts, at: Math.floor(clock()) });
    },
  };
}
