import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  circuitBreaker,
  handleWhenResult,
  noJitterGenerator,
} from "cockatiel";
import type { Host } from "../../definition/connector.ts";
import { UpstreamPaused } from "./upstream-errors.ts";

export type BreakerState = "closed" | "half_open" | "open";

/** Blocks calls to a host after too many consecutive failures. Throws UpstreamPaused instead. */
export type HostBreaker = {
  readonly guard: <T>(attempt: () => Promise<T>, failureOf: (outcome: T) => string | undefined) => Promise<T>;
  readonly state: () => BreakerState;
};

const STATES: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: "closed",
  [CircuitState.HalfOpen]: "half_open",
  [CircuitState.Open]: "open",
  [CircuitState.Isolated]: "open",
};

/** One per host, shared by its streams; undefined for a host that has none. */
export function createBreaker(host: Host, onChange: (state: BreakerState) => void): HostBreaker | undefined {
  if (host.breaker === undefined) return undefined;
  const { failures, firstSeconds, maxSeconds } = host.breaker;
  const failed = new WeakSet<object>();
  let why = "it failed";
  const policy = circuitBreaker(
    handleWhenResult((outcome) => typeof outcome === "object" && outcome !== null && failed.has(outcome)),
    {
      halfOpenAfter: new ExponentialBackoff({
        initialDelay: firstSeconds * 1000,
        maxDelay: maxSeconds * 1000,
        exponent: 2,
        generator: noJitterGenerator,
      }),
      breaker: new ConsecutiveBreaker(failures),
    },
  );
  policy.onStateChange((state) => onChange(STATES[state]));
  return {
    state: () => STATES[policy.state],
    guard: async (attempt, failureOf) => {
      try {
        const { outcome } = await policy.execute(async () => {
          const made = { outcome: await attempt() };
          const failure = failureOf(made.outcome);
          if (failure !== undefined) {
            why = failure;
            failed.add(made);
          }
          return made;
        });
        return outcome;
      } catch (error) {
        if (error instanceof BrokenCircuitError) throw new UpstreamPaused(host.name, why);
        throw error;
      }
    },
  };
}

const ENOUGH = 20;
const NEW_SHARE = 0.2;
const BASE_DRIFT = 1.005;
const TIMES_SLOWER = 4;
const MIN_SLOWER_MS = 750;

type Seen = { count: number; recent: number; base: number };

/**
 * Detects when a route answers much slower than it can: hosts behind Cloudflare queue excess calls rather than refuse
 * them, so waiting is the first sign of going too fast.
 */
export function createLatencyWatch(): (route: string, latencyMs: number) => boolean {
  const routes = new Map<string, Seen>();
  return (route, latencyMs) => {
    const seen = routes.get(route) ?? { count: 0, recent: latencyMs, base: Number.POSITIVE_INFINITY };
    routes.set(route, seen);
    seen.count += 1;
    seen.recent += NEW_SHARE * (latencyMs - seen.recent);
    seen.base = Math.min(seen.base * BASE_DRIFT, Math.max(latencyMs, 1));
    return seen.count >= ENOUGH && seen.recent > seen.base * TIMES_SLOWER && seen.recent > seen.base + MIN_SLOWER_MS;
  };
}
