import { pay, waitFor, type Bucket } from "./bucket.ts";

/** A call that waits for its turn. */
export type Waiter = {
  readonly buckets: readonly Bucket[];
  readonly cost: number;
  readonly isBackfill: boolean;
  /** Whether it leaves the reserve for live calls in the buckets: backfills do, unless it is their turn. */
  readonly isReserving: boolean;
  readonly go: () => void;
};

/** Kept of each bucket for live calls that come while a backfill runs. */
const LIVE_RESERVE = 0.25;
/** Where live calls take all there is, a backfill gets one token after so many of theirs. */
const LIVE_TO_ONE = 19;
/** Lets go all who can pay now, live calls first. Returns the ms until somebody else can. */
export function serveWaiters(line: { readonly live: Waiter[]; readonly backfill: Waiter[] }, now: number): number {
  const blocked = new Set<Bucket>();
  return Math.min(
    serveOwed(line.backfill, blocked, now),
    serve(line.live, blocked, now),
    serve(line.backfill, blocked, now),
  );
}

/** The first backfill is let go before live calls where those have had their many turns: it is slow, never stuck. */
function serveOwed(waiters: Waiter[], blocked: Set<Bucket>, now: number): number {
  const [first] = waiters;
  if (first === undefined || first.buckets.some(({ liveSpent }) => liveSpent < LIVE_TO_ONE * first.cost)) {
    return Number.POSITIVE_INFINITY;
  }
  const owed = [{ ...first, isReserving: false, go: () => (waiters.shift(), first.go()) }];
  return serve(owed, blocked, now);
}

/** Lets go whoever can pay, in order; one that cannot holds back all behind it on the same bucket. */
function serve(waiters: Waiter[], blocked: Set<Bucket>, now: number): number {
  let nap = Number.POSITIVE_INFINITY;
  for (let index = 0; index < waiters.length;) {
    const waiter = waiters[index] as Waiter;
    if (waiter.buckets.some((bucket) => blocked.has(bucket))) {
      index += 1;
      continue;
    }
    const short = waiter.buckets
      .map((bucket) => ({
        bucket,
        ms: waitFor(bucket, waiter.cost, waiter.isReserving ? bucket.capacity * LIVE_RESERVE : 0, now),
      }))
      .filter(({ ms }) => ms > 0);
    if (short.length === 0) {
      for (const bucket of waiter.buckets) pay(bucket, waiter.cost, waiter.isBackfill);
      waiters.splice(index, 1);
      waiter.go();
      continue;
    }
    for (const { bucket, ms } of short) {
      blocked.add(bucket);
      nap = Math.min(nap, ms);
    }
    index += 1;
  }
  return nap;
}
