import type { World } from "../../world/world.ts";
import { numeric, one, type Query } from "../query-values.ts";
import { invalid, type Refusal } from "./data-error.ts";
import { decodeFeed, feedPage, type Pagination } from "./feed-page.ts";
import { tradeRow } from "./leg-row.ts";
import { isRefusal, readConditions, readLimit, readSeconds, readUser } from "./read-query.ts";
import { walkTrades } from "./walk-trades.ts";

const threeYears = 3 * 365 * 86_400;

/** `GET /v2/trades`. `visibleSeconds` is the last block time that the feed has taken in. */
export function tradesAnswer(
  world: World,
  query: Query,
  visibleSeconds: number,
): { data: unknown[]; pagination: Pagination } | Refusal {
  const limit = readLimit(query, 100, 1000);
  if (isRefusal(limit)) return limit;
  const user = readUser(query);
  if (isRefusal(user)) return user;
  const conditions = conditionsOf(world, query);
  if (isRefusal(conditions)) return conditions;
  const window = readWindow(query, "user" in user, conditions, visibleSeconds);
  if (isRefusal(window)) return window;
  const least = readLeast(query);
  if (isRefusal(least)) return least;
  const cursor = one(query, "cursor") ?? one(query, "next_cursor");
  const after = cursor === undefined ? undefined : decodeFeed(cursor);
  if (cursor !== undefined && after === undefined) return invalid("cursor", "cursor is not valid");
  if ("nobody" in user || conditions === "none") return empty(limit);
  const side = readSide(query);
  if (isRefusal(side)) return side;
  const question = {
    user: "user" in user ? user.user : undefined,
    side,
    conditions,
    taker_only: one(query, "taker_only") !== "false",
    ...least,
    from: window.from,
    to: Math.min(window.to, after?.timestamp ?? window.to),
  };
  const page = feedPage(walkTrades(world, question), limit, after, false);
  return { data: page.items.map((leg) => tradeRow(world, leg)), pagination: page.pagination };
}

function readSide(query: Query): "BUY" | "SELL" | undefined | Refusal {
  const side = one(query, "side")?.toUpperCase();
  if (side === undefined || side === "BUY" || side === "SELL") return side;
  return invalid("side", "side must be BUY or SELL");
}

function empty(limit: number): { data: unknown[]; pagination: Pagination } {
  return { data: [], pagination: { limit, offset: 0, has_more: false, next_cursor: null } };
}

/** Conditions by id or by event; "none" when an event was asked for that does not exist. */
function conditionsOf(world: World, query: Query): string[] | "none" | Refusal {
  const conditions = readConditions(query);
  const eventId = one(query, "event_id");
  if (isRefusal(conditions) || eventId === undefined) return conditions;
  if (conditions.length > 0) return invalid("event_id", "condition and event_id exclude each other");
  const event = world.polymarket.event(eventId);
  return event?.id === eventId ? event.markets.map((market) => market.condition_id) : "none";
}

/**
 * start and end count only together with a user. Otherwise: three years for conditions,
 * this month and the one before for the bare feed.
 */
function readWindow(
  query: Query,
  hasUser: boolean,
  conditions: string[] | "none",
  visible: number,
): { from: number; to: number } | Refusal {
  const start = readSeconds(query, "start");
  const end = readSeconds(query, "end");
  if (isRefusal(start)) return start;
  if (isRefusal(end)) return end;
  if (hasUser) return { from: start ?? visible - threeYears, to: Math.min(end ?? visible, visible) };
  if (conditions.length > 0) return { from: visible - threeYears, to: visible };
  const now = new Date(visible * 1000);
  return { from: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1) / 1000, to: visible };
}

/** filter_type and filter_amount: 0.01 tokens unless said otherwise. */
function readLeast(query: Query): { least_shares_micro: number; least_usd_micro: number } | Refusal {
  const type = one(query, "filter_type")?.toUpperCase() ?? "TOKENS";
  const amount = numeric(query, "filter_amount") ?? 0.01;
  if (!(amount >= 0)) return invalid("filter_amount", "filter_amount must not be negative");
  if (type !== "TOKENS" && type !== "CASH") return invalid("filter_type", "filter_type must be TOKENS or CASH");
  const micro = amount * 1_000_000;
  return type === "TOKENS"
    ? { least_shares_micro: micro, least_usd_micro: 0 }
    : { least_shares_micro: 0, least_usd_micro: micro };
}
