import { LRUCache } from "lru-cache";
import { PARTS, fillBucket, toAllowance } from "./token-bucket.ts";
import type { Bucket, Pace } from "./token-bucket.ts";

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
