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
