import { firstIndex } from "../../world/first-index.ts";
import type { World } from "../../world/world.ts";
import { numeric, one, type Query } from "../query-values.ts";
import { invalid, type Refusal } from "./data-error.ts";
import { feedPage, type Pagination } from "./feed-page.ts";
import { tradeRow, type TradeLeg, tradeLegs } from "./leg-row.ts";
import { isRefusal, readConditions, readCursor, readLimit } from "./read-query.ts";
import type { MatchHappening } from "../../world/contract.ts";

const THREE_YEARS = 3 * 365 * 86_400;
/** Minimum trade size in tokens if `filter_amount` is absent. */
const USUAL_LEAST = 0.01;

/** `GET /v2/trades`, amounts in tokens. `visibleSeconds` is the last block time that the feed has ingested. */
export function tradesAnswer(
  world: World,
  query: Query,
  visibleSeconds: number,
): { data: unknown[]; pagination: Pagination } | Refusal {
  const limit = readLimit(query, 100, 1000);
  if (isRefusal(limit)) return limit;
  const conditions = readConditions(query);
  if (isRefusal(conditions)) return conditions;
  const least = numeric(query, "filter_amount") ?? USUAL_LEAST;
  if (!(least >= 0)) return invalid("filter_amount", "filter_amount must not be negative");
  const after = readCursor(query);
  if (isRefusal(after)) return after;
  const question = {
    conditions,
    taker_only: one(query, "taker_only") !== "false",
    least_shares_micro: least * 1_000_000,
    from: firstSecond(conditions, visibleSeconds),
    to: Math.min(visibleSeconds, after?.timestamp ?? visibleSeconds),
  };
  const page = feedPage(walkTrades(world, question), limit, after);
  return { data: page.items.map((leg) => tradeRow(world, leg)), pagination: page.pagination };
}

/** Three years back with conditions; the current and the previous month without. */
function firstSecond(conditions: readonly string[], visible: number): number {
  if (conditions.length > 0) return visible - THREE_YEARS;
  const now = new Date(visible * 1000);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1) / 1000;
}

/** A query of the trades feed. Times are block seconds, both ends included. */
interface TradeQuestion {
  /** Lower-case condition ids; empty for all markets. */
  conditions: readonly string[];
  taker_only: boolean;
  least_shares_micro: number;
  from: number;
  to: number;
}

/**
 * Yields the legs that match a query, newest first by (timestamp, sequence); lazily, so that a page costs only a page.
 * Nothing later than `question.to` is read: a match whose block does not exist yet is unknown to the Data API.
 */
function* walkTrades(world: World, question: TradeQuestion): Generator<TradeLeg> {
  for (const match of newestFirst(world, question)) {
    if (match.is_dropped === true) continue;
    const seconds = match.block_ms / 1000;
    if (seconds > question.to) continue;
    if (seconds < question.from) return;
    for (const each of tradeLegs(match, question.taker_only)) {
      if (each.leg.shares_micro >= question.least_shares_micro) yield each;
    }
  }
}

function* newestFirst(world: World, question: TradeQuestion): Generator<MatchHappening> {
  const wanted = new Set(question.conditions);
  const only = question.conditions.length === 1 ? question.conditions[0] : undefined;
  const source = only === undefined ? world.polymarket.matches : (world.polymarket.market(only)?.matches() ?? []);
  const after = firstIndex(source, question.to * 1000 + 1, (match) => match.block_ms);
  for (let index = after - 1; index >= 0; index -= 1) {
    const match = source[index];
    if (match !== undefined && (wanted.size === 0 || wanted.has(match.market.condition_id))) yield match;
  }
}
