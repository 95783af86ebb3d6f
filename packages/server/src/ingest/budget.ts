import type { Host } from "../definition/connector.ts";
import { makeBucket, refill, slowDown, type Bucket, type Easing, pay, waitFor } from "./bucket.ts";
import type { Clock } from "./clock.ts";

/** A call that waits for its turn. */
type Waiter = {
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
function serveWaiters(line: { readonly live: Waiter[]; readonly backfill: Waiter[] }, now: number): number {
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

/** Live streams go first; backfills get whatever live streams leave. */
export type Priority = "live" | "backfill";

export type BudgetUse = Readonly<Record<string, Readonly<Pick<Bucket, "factor" | "tokens" | "capacity">>>>;

/** One host's allowance, shared by every stream of the process that calls it. */
export type Budget = {
  /** Waits until `cost` may be spent on `route` (and on `all`, which every route shares), then spends it. */
  readonly take: (route: string, cost: number, priority: Priority, signal: AbortSignal) => Promise<void>;
  /** The upstream refused or queues: go on slower. The speed comes back slowly. False where nothing changed. */
  readonly ease: (route: string, easing: Easing) => boolean;
  /** Nothing more on this route for so many ms. */
  readonly pause: (route: string, ms: number) => void;
  readonly waiting: () => number;
  readonly use: () => BudgetUse;
};

const LONGEST_NAP_MS = 1000;

export function createBudget(host: Host, clock: Clock): Budget {
  const buckets = new Map(
    Object.entries(host.limits).map(([route, limit]) => [route, makeBucket(limit, host.share, clock.monotonicMs())]),
  );
  const line: Record<Priority, Waiter[]> = { live: [], backfill: [] };
  let armedFor = Number.POSITIVE_INFINITY;

  const bucketsOf = (route: string): Bucket[] => {
    const found = [...new Set([buckets.get(route), buckets.get("all")])].filter((bucket) => bucket !== undefined);
    if (found.length === 0) throw new TypeError(`${host.name} has no limit for route ${route}`);
    return found;
  };

  const pump = (): void => {
    const now = clock.monotonicMs();
    for (const bucket of buckets.values()) refill(bucket, now);
    const nap = serveWaiters(line, now);
    if (nap < Number.POSITIVE_INFINITY) arm(now + Math.min(Math.max(1, nap), LONGEST_NAP_MS));
  };

  const arm = (moment: number): void => {
    if (moment >= armedFor) return;
    armedFor = moment;
    void clock.sleep(moment - clock.monotonicMs()).then(() => {
      if (armedFor === moment) armedFor = Number.POSITIVE_INFINITY;
      pump();
      return undefined;
    });
  };

  const join = (waiter: Waiter): void => {
    line[waiter.isBackfill ? "backfill" : "live"].push(waiter);
    pump();
  };
  const leave = (waiter: Waiter): void => {
    const waiters = line[waiter.isBackfill ? "backfill" : "live"];
    const place = waiters.indexOf(waiter);
    if (place >= 0) waiters.splice(place, 1);
  };

  return {
    take: (route, cost, priority, signal) =>
      queued({ buckets: bucketsOf(route), cost, ...mannersOf(priority) }, signal, join, leave),
    ease: (route, easing) => {
      const [bucket] = bucketsOf(route);
      return bucket !== undefined && slowDown(bucket, easing, clock.monotonicMs());
    },
    pause: (route, ms) => {
      const [bucket] = bucketsOf(route);
      if (bucket) bucket.pausedUntil = Math.max(bucket.pausedUntil, clock.monotonicMs() + ms);
    },
    waiting: () => line.live.length + line.backfill.length,
    use: () => useOf(buckets),
  };
}

function useOf(buckets: ReadonlyMap<string, Bucket>): BudgetUse {
  const shown = [...buckets].map(([route, { factor, tokens, capacity }]) => {
    return [route, { factor, tokens, capacity }] as const;
  });
  return Object.fromEntries(shown);
}

function mannersOf(priority: Priority): Pick<Waiter, "isBackfill" | "isReserving"> {
  const isBackfill = priority === "backfill";
  return { isBackfill, isReserving: isBackfill };
}

function queued(
  asked: Omit<Waiter, "go">,
  signal: AbortSignal,
  join: (waiter: Waiter) => void,
  leave: (waiter: Waiter) => void,
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const onAbort = (): void => {
      leave(waiter);
      reject(signal.reason as Error);
    };
    const waiter: Waiter = {
      ...asked,
      go: () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      },
    };
    signal.addEventListener("abort", onAbort, { once: true });
    join(waiter);
  });
}
