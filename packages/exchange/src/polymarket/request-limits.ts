import type { FastifyInstance, FastifyReply } from "fastify";

/** One documented limit: at most `requests` in any `seconds` for paths the rule covers. */
export interface WindowRule {
  /** Exact path, path prefix ending in `/`, or `*` for the whole host. */
  path: string;
  requests: number;
  seconds: number;
}

/** Returns whether a request may pass, and if not, after how many milliseconds it may. */
export type Admit = (path: string, nowMs: number) => { ok: true } | { ok: false; retry_after_ms: number };

/**
 * A sliding-window limiter over the rules of one host. Rejected requests do not count against the window. Keeps at most
 * `requests` timestamps per rule, so memory is bounded by the rules themselves.
 */
export function slidingWindow(rules: readonly WindowRule[]): Admit {
  const windows = rules.map((rule) => ({ rule, times: [] as number[] }));
  return (path, nowMs) => {
    const touched = windows.filter(({ rule }) => isCovered(rule.path, path));
    let wait = 0;
    for (const { rule, times } of touched) {
      const oldest = nowMs - rule.seconds * 1000;
      while (times.length > 0 && (times[0] ?? 0) <= oldest) times.shift();
      if (times.length >= rule.requests) wait = Math.max(wait, (times[0] ?? nowMs) - oldest);
    }
    if (wait > 0) return { ok: false, retry_after_ms: wait };
    for (const { times } of touched) times.push(nowMs);
    return { ok: true };
  };
}

function isCovered(rule: string, path: string): boolean {
  if (rule === "*") return true;
  return rule.endsWith("/") ? path.startsWith(rule) : path === rule;
}

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

/** Clock for counting requests, and how a rejected one is answered. */
export interface LimitSettings {
  rules: readonly WindowRule[];
  /** Wall clock in ms: limits apply to network time, not to world time. */
  wall: () => number;
  /** Sends the 429. The wait is in whole seconds. */
  refuse: (reply: FastifyReply, retryAfterSeconds: number) => FastifyReply;
}

/** Rejects requests over a host's limits. (The real edge first delays them and rejects only sustained excess.) */
export function installLimits(app: FastifyInstance, settings: LimitSettings): void {
  const admit = slidingWindow(settings.rules);
  app.addHook("onRequest", async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? request.url;
    const admitted = admit(path, settings.wall());
    if (!admitted.ok) await settings.refuse(reply, Math.ceil(admitted.retry_after_ms / 1000));
  });
}

/** Response of the edge in front of Gamma and the CLOB: plain text and no Retry-After. */
export function refuseAtEdge(reply: FastifyReply): FastifyReply {
  return reply.code(429).type("text/plain").send("error code: 1015");
}
