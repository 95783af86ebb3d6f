import type { Host } from "../definition/connector.ts";
import { makeBucket, refill, slowDown, type Bucket, type Easing, pay, waitFor } from "./bucket.ts";
import type { Clock } from "./clock.ts";

/** A queued call. */
type Waiter = {
  readonly buckets: readonly Bucket[];
  readonly cost: number;
  readonly isBackfill: boolean;
  /** Whether it leaves the reserve for live calls in the buckets: backfills do, unless one is owed. */
  readonly isReserving: boolean;
  readonly go: () => void;
};

/** Share of each bucket reserved for live calls while a backfill runs. */
const LIVE_RESERVE = 0.25;
/** When live calls use everything, a backfill gets one token after this many of theirs. */
const LIVE_TO_ONE = 19;
/** Releases all calls that can be paid now, live ones first. Returns the ms until the next one can. */
function serveWaiters(line: { readonly live: Waiter[]; readonly backfill: Waiter[] }, now: number): number {
  const blocked = new Set<Bucket>();
  return Math.min(
    serveOwed(line.backfill, blocked, now),
    serve(line.live, blocked, now),
    serve(line.backfill, blocked, now),
  );
}

/**
 * Releases the first backfill ahead of live calls once they have spent `LIVE_TO_ONE` times its cost: it is slow but
 * never starves.
 */
function serveOwed(waiters: Waiter[], blocked: Set<Bucket>, now: number): number {
  const [first] = waiters;
  if (first === undefined || first.buckets.some(({ liveSpent }) => liveSpent < LIVE_TO_ONE * first.cost)) {
    return Number.POSITIVE_INFINITY;
  }
  const owed = [{ ...first, isReserving: false, go: () => (waiters.shift(), first.go()) }];
  return serve(owed, blocked, now);
}

/** Releases calls that can be paid, in order; one that cannot blocks those after it on the same bucket. */
function serve(waiters: Waiter[], blocked: Set<Bucket>, now: number): number {
  let pause = Number.POSITIVE_INFINITY;
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
      pause = Math.min(pause, ms);
    }
    index += 1;
  }
  return pause;
}

/** Live streams go first; backfills get the rest. */
export type Priority = "live" | "backfill";

export type BudgetUse = Readonly<Record<string, Readonly<Pick<Bucket, "factor" | "tokens" | "capacity">>>>;

/** One host's rate budget, shared by all streams of the process that call it. */
export type Budget = {
  /** Waits until `cost` may be spent on `route` (and on `all`, which every route shares), then spends it. */
  readonly take: (route: string, cost: number, priority: Priority, signal: AbortSignal) => Promise<void>;
  /** Slows down after the upstream refused or queued a call; recovers slowly. Returns false if nothing changed. */
  readonly ease: (route: string, easing: Easing) => boolean;
  /** Blocks the route for this many ms. */
  readonly pause: (route: string, ms: number) => void;
  readonly waiting: () => number;
  /** Rates and tokens as of now, also of a route that nothing calls. */
  readonly use: () => BudgetUse;
};

const MAX_NAP_MS = 1000;

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

  const refillAll = (now: number): void => {
    for (const bucket of buckets.values()) refill(bucket, now);
  };

  const pump = (): void => {
    const now = clock.monotonicMs();
    refillAll(now);
    const pause = serveWaiters(line, now);
    if (pause < Number.POSITIVE_INFINITY) arm(now + Math.min(Math.max(1, pause), MAX_NAP_MS));
  };

  const arm = (timestamp: number): void => {
    if (timestamp >= armedFor) return;
    armedFor = timestamp;
    void clock.sleep(timestamp - clock.monotonicMs()).then(() => {
      if (armedFor === timestamp) armedFor = Number.POSITIVE_INFINITY;
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
    use: () => {
      refillAll(clock.monotonicMs());
      return useOf(buckets);
    },
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
  requested: Omit<Waiter, "go">,
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
      ...requested,
      go: () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      },
    };
    signal.addEventListener("abort", onAbort, { once: true });
    join(waiter);
  });
}

/** The host with the limit granted to this installation, if a setting states one. */
export function grantedHost(host: Host, settings: Readonly<Record<string, string | undefined>>): Host {
  const tokens = Number((host.granted && settings[host.granted]) || Number.NaN);
  if (Number.isNaN(tokens)) return host;
  return { ...host, limits: { ...host.limits, all: { tokens, perSeconds: 1, burst: tokens } } };
}

/** The budget route that a host's JSON-RPC calls count against. */
export const rpcRouteOf = ({ limits }: Host): string => (limits["rpc"] === undefined ? "all" : "rpc");
