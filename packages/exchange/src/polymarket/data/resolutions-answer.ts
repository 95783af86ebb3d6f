import type { PolymarketMarket } from "../../world/contract.ts";
import type { World } from "../../world/world.ts";
import { isoSeconds } from "../moment-text.ts";
import { commaList, one, type Query } from "../query-values.ts";
import { invalid, type Refusal } from "./data-error.ts";
import { isRefusal, readConditions } from "./read-query.ts";
import { resolutionPlace } from "./resolution-place.ts";

/** `GET /v2/resolutions` by question, condition or event. A price not set is "69". */
export function resolutionsAnswer(world: World, query: Query): { data: unknown[] } | Refusal {
  const conditions = readConditions(query);
  if (isRefusal(conditions)) return conditions;
  const questions = new Set(commaList(query, "question_id").map((id) => id.toLowerCase()));
  const event = one(query, "event_id");
  if (conditions.length + questions.size === 0 && event === undefined) {
    return invalid("condition", "one of question_id, condition, event_id is required");
  }
  const byEvent = event === undefined ? [] : (world.polymarket.event(event)?.markets ?? []);
  const byQuestion =
    questions.size === 0 ? [] : world.polymarket.markets.filter((market) => questions.has(market.question_id));
  const byCondition = conditions.flatMap((id) => world.polymarket.market(id) ?? []);
  const markets = new Set([...byCondition, ...byQuestion, ...byEvent]);
  return { data: [...markets].slice(0, 500).map((market) => resolutionRow(world, market)) };
}

function resolutionRow(world: World, market: PolymarketMarket): Record<string, unknown> {
  const place = resolutionPlace(world, market);
  const payout = market.payout_numerators;
  const price = payout === null ? "69" : String(payout[0] / (payout[0] + payout[1]));
  const changed = market.resolved_ms ?? market.closed_ms ?? market.created_ms;
  const row: Record<string, unknown> = {
    question_id: market.question_id,
    condition_id: market.condition_id,
    status: stage(market),
    extended_review: false,
    was_disputed: market.was_disputed,
    new_version_q: false,
    proposed_price: market.uma_status === "" ? "69" : price,
    reproposed_price: market.was_disputed ? price : "69",
    price,
    market_type: market.neg_risk ? "INCREMENTAL_NEGRISK" : "BINARY",
    transaction_hash: place?.tx_hash ?? "",
    log_index: place === undefined ? "" : String(place.log_index),
    last_update_timestamp: String(Math.floor(changed / 1000)),
  };
  if (payout === null) return row;
  const unit = 1_000_000 / (payout[0] + payout[1]);
  return {
    ...row,
    payouts: payout.map((share) => Math.round(share * unit)),
    resolution_source: "reported",
    reporter: market.automatically_resolved ? "CHAINLINK" : "UMA_OO",
    resolved_block: place?.block_number ?? world.chain.blockAt(changed),
    resolved_at: isoSeconds(changed),
  };
}

function stage(market: PolymarketMarket): string {
  if (market.payout_numerators !== null) return "resolved";
  if (market.uma_status === "disputed") return "disputed";
  if (market.uma_status === "proposed") return market.was_disputed ? "reproposed" : "proposed";
  return market.closed ? "posed" : "initialized";
}
