import type { WindowRule } from "./sliding-window.ts";

/** Hosts of Polymarket that publish request limits. */
export type LimitedHost = "gamma" | "clob" | "data";

const tenSeconds = (path: string, requests: number): WindowRule => ({ path, requests, seconds: 10 });

/** Requests in a sliding 10 s window, per address. Source: docs.polymarket.com, shared/reference/polymarket.md §0.3. */
const documented: Record<LimitedHost, readonly WindowRule[]> = {
  gamma: [
    tenSeconds("*", 4000),
    tenSeconds("/events/keyset", 500),
    tenSeconds("/markets/keyset", 300),
    tenSeconds("/tags", 200),
  ],
  clob: [tenSeconds("*", 9000), tenSeconds("/books", 500)],
  data: [
    tenSeconds("*", 1000),
    tenSeconds("/v2/", 800),
    tenSeconds("/v2/trades", 300),
    tenSeconds("/v2/activity", 200),
  ],
};

/**
 * Returns the published limits of a host, each multiplied by `scale` (at least one request per window). A world that
 * runs faster than real time needs a larger scale; a test, a smaller one.
 */
export function documentedLimits(host: LimitedHost, scale: number): readonly WindowRule[] {
  return documented[host].map(({ path, requests, seconds }) => ({
    path,
    requests: Math.max(1, Math.floor(requests * scale)),
    seconds,
  }));
}
