import type { World } from "../../world/world.ts";
import { findToken } from "../clob/find-token.ts";
import { priceSeries } from "../clob/price-series.ts";
import { marketPrice } from "../market-price.ts";
import { numeric, one, type Query } from "../query-values.ts";
import { invalid, type Refusal } from "./data-error.ts";
import { decodeFeed, feedPage, type Pagination } from "./feed-page.ts";
import { isRefusal, readLimit, readSeconds } from "./read-query.ts";

const day = 86_400;
const intervals: Record<string, number> = {
  "1h": 3600,
  "6h": 6 * 3600,
  "1d": day,
  "1w": 7 * day,
  "1m": 30 * day,
  max: 3650 * day,
  all: 3650 * day,
};

/** How old a point of each fineness may be before the service forgets it. */
const retention = [
  { step: 60, days: 7 },
  { step: 300, days: 60 },
  { step: 1800, days: 90 },
  { step: 10_800, days: 36_500 },
];

/**
 * `GET /v2/prices-history`: exactly one of start, interval, as_of; at most 15 days from a start.
 * A resolved token ends with a settlement point of `resolution_seconds` 0.
 */
export function pricesAnswer(world: World, query: Query): { data: unknown[]; pagination: Pagination } | Refusal {
  const token = findToken(world, one(query, "token_id"));
  if (token === undefined) return invalid("token_id", "token_id is not known");
  const limit = readLimit(query, 1000, 10_000);
  if (isRefusal(limit)) return limit;
  const now = Math.floor(world.reached() / 1000);
  const window = readWindow(query, now);
  if (isRefusal(window)) return window;
  const step = readStep(query, now - window.from, window.to - window.from);
  if (isRefusal(step)) return step;
  const cursor = one(query, "cursor") ?? one(query, "next_cursor");
  const after = cursor === undefined ? undefined : decodeFeed(cursor);
  if (cursor !== undefined && after === undefined) return invalid("cursor", "cursor is not valid");
  const { market, outcome } = token;
  const resolved = market.resolved_ms === null ? undefined : Math.floor(market.resolved_ms / 1000);
  const from = Math.max(window.from, Math.floor(market.created_ms / 1000), after?.timestamp ?? 0);
  const to = Math.min(window.to, resolved === undefined ? window.to : resolved - 1);
  const grid = { fromSeconds: from, toSeconds: to, stepSeconds: step, limit: limit + 2 };
  const points = priceSeries(market, outcome, grid).map(({ t, p }) => ({
    timestamp: t,
    sequence: 0,
    price: p,
    resolution_seconds: step,
  }));
  if (resolved !== undefined && resolved >= window.from && resolved <= window.to) {
    points.push({ timestamp: resolved, sequence: 1, price: marketPrice(market, outcome), resolution_seconds: 0 });
  }
  const page = feedPage(points, limit, after, true);
  const data = page.items.map(({ timestamp, price, resolution_seconds }) => ({ timestamp, price, resolution_seconds }));
  return { data, pagination: page.pagination };
}

function readWindow(query: Query, now: number): { from: number; to: number } | Refusal {
  const start = readSeconds(query, "start");
  if (isRefusal(start)) return start;
  const end = readSeconds(query, "end");
  if (isRefusal(end)) return end;
  const asOf = readSeconds(query, "as_of");
  if (isRefusal(asOf)) return asOf;
  const interval = one(query, "interval");
  const given = [start, interval, asOf].filter((value) => value !== undefined).length;
  if (given !== 1) return invalid("start", "exactly one of start, interval, as_of is required");
  if (start === 0 || end === 0 || asOf === 0) return invalid("start", "a bound must not be 0");
  if (asOf !== undefined) return { from: asOf - 60, to: Math.min(asOf, now) };
  if (interval !== undefined) {
    const length = intervals[interval];
    return length === undefined ? invalid("interval", "interval is not known") : { from: now - length, to: now };
  }
  const from = start ?? now;
  const to = end ?? now;
  return to - from > 15 * day
    ? invalid("start", "the window must not exceed 15 days")
    : { from, to: Math.min(to, now) };
}

function readStep(query: Query, age: number, length: number): number | Refusal {
  const asked = numeric(query, "bucket_seconds") ?? Math.max(60, Math.ceil(length / 10_000 / 60) * 60);
  if (!(asked >= 60 && asked <= day)) return invalid("bucket_seconds", "bucket_seconds must be between 60 and 86400");
  const kept = retention.find(({ days }) => age <= days * day)?.step ?? 10_800;
  return Math.max(kept, Math.floor(asked));
}
