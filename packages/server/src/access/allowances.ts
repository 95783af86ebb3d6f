import { LRUCache } from "lru-cache";
import { atMost } from "../definition/at-most.ts";
import { deciding, fillBucket, partsFor, PARTS, type Allowance, type Bucket, type BucketOwner } from "./bucket.ts";
import type { Caller, Pace } from "./caller.ts";

export type { Allowance };

/** The claimant: a key, or a user in the explorer, with the account whose plan it uses up. */
export type Claimant = Pick<Caller, "keyId" | "accountId" | "keyPace"> & { readonly plan: Pace };

/** Storage of allowances: in this process, or in Redis for all processes. */
export type Allowances = {
  /**
   * Takes units from the account's bucket and from the key's own within it; if either has too little, neither is
   * charged. A claim larger than a full bucket is granted by a full one, which then is in debt. `held` units were taken
   * before: the difference is taken or returned.
   */
  readonly take: (claimant: Claimant, units?: number, held?: number) => Promise<Allowance>;
  /** The result `take` would give now for one unit, without taking: `remaining` includes the request not made. */
  readonly peek: (claimant: Claimant) => Promise<Allowance>;
};

export type MemoryAllowances = Allowances & {
  /** Stores the state of a claimant's buckets (`claimsOf`) known from elsewhere. */
  readonly keep: (claims: readonly Claim[], parts: readonly number[]) => void;
};

/** A bucket that a claim is made on. */
export type Claim = { readonly of: BucketOwner; readonly name: string; readonly pace: Pace };
type Claims = readonly [Claim] | readonly [Claim, Claim];

/**
 * The account's bucket, and the key's if it has its own limit: one of the account's size would never decide, since the
 * account's is never fuller. Names in braces share a slot of a Redis cluster.
 */
export function claimsOf({ accountId, keyId, plan, keyPace }: Claimant): Claims {
  const name = `{${accountId}}`;
  const ofAccount = { of: "account", name, pace: plan } as const;
  return keyPace === null ? [ofAccount] : [ofAccount, { of: "key", name: `${name}:${keyId}`, pace: keyPace }];
}

/** The allowance reported for claims whose buckets hold these parts. */
export function publish([first, second]: Claims, parts: readonly number[], units: number, allowed: boolean): Allowance {
  const reported = ({ of, pace }: Claim, place: number) => ({ of, pace, parts: parts[place] ?? 0, units });
  return deciding(reported(first, 0), second && reported(second, 1), allowed);
}

const MAX_BUCKETS = 100_000;

/**
 * Token buckets in this process; beyond `maxBuckets` the least recently used is dropped, i.e. full again. `clock` in
 * ms.
 */
export function memoryAllowances(clock: () => number, maxBuckets = MAX_BUCKETS): MemoryAllowances {
  const buckets = new LRUCache<string, Bucket>(atMost(maxBuckets));
  const claim = (claimant: Claimant, units: number, held: number, isTaken: boolean): Allowance => {
    const claims = claimsOf(claimant);
    const now = Math.floor(clock());
    const filled = claims.map(({ name, pace }) => fillBucket(buckets.get(name), pace, now, held));
    const allowed = claims.every(({ pace }, place) => (filled[place]?.parts ?? 0) >= partsFor(pace, units));
    const taken = isTaken && allowed ? units * PARTS : 0;
    const parts = filled.map((bucket) => bucket.parts - taken);
    if (isTaken) {
      for (const [place, { name }] of claims.entries()) {
        buckets.set(name, { parts: parts[place] ?? 0, at: filled[place]?.at ?? now });
      }
    }
    return publish(claims, parts, units, allowed);
  };
  return {
    take: async (claimant, units = 1, held = 0) => claim(claimant, units, held, true),
    peek: async (claimant) => claim(claimant, 1, 0, false),
    keep: (claims, parts) => {
      const at = Math.floor(clock());
      for (const [place, { name }] of claims.entries()) buckets.set(name, { parts: parts[place] ?? 0, at });
    },
  };
}
