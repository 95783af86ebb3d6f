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
