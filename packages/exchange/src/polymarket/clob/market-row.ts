import type { PolymarketMarket } from "../../world/contract.ts";
import { marketPrice } from "../market-price.ts";
import { isoPrecise, isoSeconds } from "../moment-text.ts";

/** A market as the CLOB lists it; `active: true` stays beside `closed: true`. Shape: recorded captures/markets.json. */
export function marketRow(market: PolymarketMarket): Record<string, unknown> {
  return {
    enable_order_book: !market.closed,
    active: market.active,
    closed: market.closed,
    archived: false,
    accepting_orders: market.accepting_orders,
    accepting_order_timestamp: isoSeconds(market.start_ms),
    minimum_order_size: market.min_size_micro / 1_000_000,
    minimum_tick_size: market.tick_e4 / 10_000,
    condition_id: market.condition_id,
    question_id: market.question_id,
    question: market.question,
    description: market.description,
    market_slug: market.slug,
    end_date_iso: isoSeconds(market.end_ms),
    game_start_time: market.event_start_ms === null ? null : isoPrecise(market.event_start_ms),
    seconds_delay: 0,
    fpmm: "",
    maker_base_fee: 0,
    taker_base_fee: 0,
    notifications_enabled: true,
    neg_risk: market.neg_risk,
    neg_risk_market_id: market.event.neg_risk_market_id ?? "",
    neg_risk_request_id: market.neg_risk ? market.question_id : "",
    icon: "",
    image: "",
    rewards: { rates: null, min_size: 0, max_spread: 0 },
    is_50_50_outcome: isVoid(market),
    tokens: tokenRows(market),
    tags: [...market.event.tags.map((tag) => tag.label), "All"],
  };
}

/** The short form of `/simplified-markets`. */
export function simplifiedRow(market: PolymarketMarket): Record<string, unknown> {
  return {
    condition_id: market.condition_id,
    rewards: { rates: null, min_size: 0, max_spread: 0 },
    tokens: tokenRows(market),
    active: market.active,
    closed: market.closed,
    archived: false,
    accepting_orders: market.accepting_orders,
  };
}

function tokenRows(market: PolymarketMarket): Record<string, unknown>[] {
  const payout = market.payout_numerators;
  return ([0, 1] as const).map((outcome) => ({
    token_id: market.token_ids[outcome],
    outcome: market.outcomes[outcome],
    price: marketPrice(market, outcome),
    winner: payout !== null && payout[outcome] > payout[(1 - outcome) as 0 | 1],
  }));
}

function isVoid(market: PolymarketMarket): boolean {
  const payout = market.payout_numerators;
  return payout !== null && payout[0] === payout[1];
}
