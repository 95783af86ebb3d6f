import { LRUCache } from "lru-cache";
import type { Caller } from "./caller.ts";

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

/** Where allowances are kept. In memory now; one shared by several nodes answers the same question. */
export type Allowances = { readonly take: (caller: Caller) => Promise<Allowance> };

/** A token counts 60,000 parts and a bucket gains `requestsPerMinute` parts a millisecond: all whole numbers, so waits are exact. */
const PARTS = 60_000;
const MAX_KEYS = 100_000;

/** Token buckets in this process, one a key. A refused request takes nothing. `clock` in milliseconds. */
export function memoryAllowances(clock: () => number): Allowances {
  const buckets = new LRUCache<string, { parts: number; at: number }>({ max: MAX_KEYS });
  return {
    take: async (caller) => {
      const { requestsPerMinute: rate, burst } = caller.plan;
      const full = burst * PARTS;
      const now = Math.floor(clock());
      const bucket = buckets.get(caller.keyId) ?? { parts: full, at: now };
      const passed = Math.max(0, now - bucket.at);
      const filled = Math.min(full, bucket.parts + passed * rate);
      const allowed = filled >= PARTS;
      const parts = allowed ? filled - PARTS : filled;
      // A clock set back must not give the same milliseconds twice.
      buckets.set(caller.keyId, { parts, at: Math.max(now, bucket.at) });
      return {
        allowed,
        limit: rate,
        burst,
        remaining: Math.floor(parts / PARTS),
        resetSeconds: secondsToGain(full - parts, rate),
        retryAfterSeconds: allowed ? 0 : secondsToGain(PARTS - parts, rate),
      };
    },
  };
}

const secondsToGain = (parts: number, rate: number): number => Math.ceil(parts / rate) / 1000;
