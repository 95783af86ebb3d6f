import type { InsertRow } from "../../../definition/table.ts";
import { microText } from "../../../definition/micro-text.ts";
import { timestampIso } from "../exact/timestamps.ts";
import { toMicro } from "../exact/decimals.ts";
import { categoryPath } from "./category-path.ts";
import type { GammaMarket } from "./gamma-market-wire.ts";
import { resolution } from "./resolution.ts";

/** A market's rows, or why it has none: markets without a condition or without exactly two outcomes are skipped. */
export type MarketRows =
  | { readonly kept: true; readonly market: InsertRow; readonly tokens: readonly InsertRow[] }
  | { readonly kept: false; readonly reason: "no_condition" | "not_binary" };

/** The rows of polymarket_markets and polymarket_tokens. `nowIso` is used if Gamma gives no update time. */
export function toMarket(market: GammaMarket, nowIso: string): MarketRows {
  if (market.conditionId === undefined) return { kept: false, reason: "no_condition" };
  const [first, second, ...others] = market.outcomes ?? [];
  if (first === undefined || second === undefined || others.length > 0) return { kept: false, reason: "not_binary" };
  const tokens = market.clobTokenIds?.length === 2 ? market.clobTokenIds : [];
  const row = {
    condition_id: market.conditionId,
    gamma_id: market.id,
    question_id: market.questionID?.toLowerCase() ?? "",
    question: market.question,
    slug: market.slug,
    event_slug: market.events?.[0]?.slug ?? "",
    ...timestamps(market, nowIso),
    closed: market.closed ?? false,
    active: market.active ?? false,
    accepting_orders: market.acceptingOrders ?? false,
    ...figures(market),
    side_a_outcome: first,
    side_b_outcome: second,
    side_a_token_id: tokens[0] ?? "0",
    side_b_token_id: tokens[1] ?? "0",
    ...answer(market, [first, second]),
    category: categoryPath(market.tags ?? [], market.category),
    tags: market.tags?.flatMap((tag) => (tag.label === undefined ? [] : [tag.label])) ?? [],
    neg_risk: market.negRisk ?? false,
    neg_risk_market_id: (market.negRiskMarketID ?? market.events?.[0]?.negRiskMarketID ?? "").toLowerCase(),
    resolution_source: market.resolutionSource ?? "",
  };
  return { kept: true, market: row, tokens: tokens.map((token, index) => tokenRow(row, token, index)) };
}

function tokenRow(market: InsertRow, token_id: string, index: number): InsertRow {
  return {
    token_id,
    condition_id: market["condition_id"],
    outcome_index: index,
    outcome: index === 0 ? market["side_a_outcome"] : market["side_b_outcome"],
    slug: market["slug"],
  };
}

function timestamps(market: GammaMarket, nowIso: string): InsertRow {
  return {
    start_date: timestampIso(market.startDate, "micros"),
    end_date: timestampIso(market.endDate, "seconds"),
    event_start: timestampIso(market.eventStartTime ?? market.gameStartTime, "seconds"),
    closed_date: market.closed === true ? timestampIso(market.closedTime, "seconds") : null,
    updated_at: timestampIso(market.updatedAt, "micros") ?? timestampIso(market.createdAt, "micros") ?? nowIso,
  };
}

function figures(market: GammaMarket): InsertRow {
  const rate = market.feesEnabled === false ? undefined : market.feeSchedule?.rate;
  return {
    volume_total: money(market.volume) ?? "0",
    volume_24h: money(market.volume24hr) ?? "0",
    liquidity: money(market.liquidity) ?? "0",
    tick_size: money(market.orderPriceMinTickSize),
    min_size: money(market.orderMinSize),
    fee_rate: money(rate),
  };
}

function answer(market: GammaMarket, labels: readonly [string, string]): InsertRow {
  const prices = market.outcomePrices?.map((price) => toMicro(price)) ?? [];
  // Prices of 0 and 0 mean that Gamma has none (reference/polymarket.md §1.3).
  const known = prices.length === 2 && prices.some((price) => price !== 0n) ? prices : [];
  const { payoutMicro, winner } = resolution(market);
  return {
    side_a_price: known[0] === undefined ? null : microText(known[0]),
    side_b_price: known[1] === undefined ? null : microText(known[1]),
    winning_outcome: winner === null ? null : labels[winner],
    resolution_status: market.umaResolutionStatus ?? "",
    payout_a: payoutMicro === null ? null : microText(payoutMicro),
  };
}

function money(value: string | undefined): string | null {
  return value === undefined ? null : microText(toMicro(value));
}
