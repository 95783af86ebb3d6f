import { numeric, one, type Query } from "../query-values.ts";
import type { Token } from "./find-token.ts";
import { type PricePoint, priceSeries } from "./price-series.ts";

const daySeconds = 86_400;
const longestWindow = 15 * daySeconds;

/** Length of each interval and the least fidelity (minutes) it allows. */
const intervals: Record<string, { seconds: number; least: number }> = {
  "1h": { seconds: 3600, least: 1 },
  "6h": { seconds: 6 * 3600, least: 1 },
  "1d": { seconds: daySeconds, least: 1 },
  "1w": { seconds: 7 * daySeconds, least: 5 },
  "1m": { seconds: 30 * daySeconds, least: 10 },
  max: { seconds: Number.POSITIVE_INFINITY, least: 1 },
  all: { seconds: Number.POSITIVE_INFINITY, least: 1 },
};

/**
 * `GET /prices-history` of the CLOB. Kept limits: a window of at most 15 days; nothing for a resolved token with an interval,
 * nor with explicit times finer than an hour unless fidelity is 720 minutes or more.
 */
export function pricesHistory(
  token: Token,
  query: Query,
  nowMs: number,
): { history: PricePoint[] } | { error: string } {
  const window = readWindow(query, Math.floor(nowMs / 1000), Math.floor(token.market.created_ms / 1000));
  if ("error" in window) return window;
  const resolved = token.market.resolved_ms !== null;
  const tooFine = window.explicit ? window.fidelity < 60 : window.fidelity < 720 || window.endless;
  if (resolved && tooFine) return { history: [] };
  const grid = { fromSeconds: window.from, toSeconds: window.to, stepSeconds: window.fidelity * 60, limit: 25_000 };
  return { history: priceSeries(token.market, token.outcome, grid) };
}

interface Window {
  from: number;
  to: number;
  fidelity: number;
  explicit: boolean;
  endless: boolean;
}

function readWindow(query: Query, now: number, created: number): Window | { error: string } {
  const interval = one(query, "interval");
  const start = numeric(query, "startTs");
  const end = numeric(query, "endTs");
  const fidelity = numeric(query, "fidelity") ?? 1;
  if (!(fidelity >= 1)) return { error: "invalid filters: invalid 'fidelity'" };
  if (start !== undefined || end !== undefined) {
    if (interval !== undefined)
      return { error: "invalid filters: 'interval' is mutually exclusive with 'startTs' and 'endTs'" };
    const to = Math.min(end ?? now, now);
    const from = start ?? to - daySeconds;
    if (!Number.isFinite(from) || !Number.isFinite(to))
      return { error: "invalid filters: invalid 'startTs' or 'endTs'" };
    if ((end ?? now) - from > longestWindow)
      return { error: "invalid filters: 'startTs' and 'endTs' interval is too long" };
    return { from: Math.max(from, created), to, fidelity, explicit: true, endless: false };
  }
  const length = intervals[interval ?? "1d"];
  if (length === undefined) return { error: "invalid filters: invalid 'interval'" };
  if (fidelity < length.least) {
    return { error: `invalid filters: minimum 'fidelity' for '${String(interval)}' range is ${length.least}` };
  }
  const from = Math.max(created, now - length.seconds);
  return { from, to: now, fidelity, explicit: false, endless: !Number.isFinite(length.seconds) };
}
