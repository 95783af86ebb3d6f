import type { Holding, OutcomeIndex } from "../../world/contract.ts";
import { calendarDate } from "../moment-text.ts";
import { positionFigures } from "./position-figures.ts";

/** States of a position; a loser that was never redeemed is REDEEMABLE_LOST. */
export type PositionStatus = "OPEN" | "REDEEMABLE" | "REDEEMABLE_LOST" | "CLOSED";

/** What state a holding is in. */
export function positionStatus(holding: Holding): PositionStatus {
  if (holding.shares_micro === 0) return "CLOSED";
  const payout = holding.market.payout_numerators;
  if (payout === null) return "OPEN";
  return payout[holding.outcome] > 0 ? "REDEEMABLE" : "REDEEMABLE_LOST";
}

/** A row of `/v2/positions`. `mergeable` needs the wallet's holding of the other outcome. */
export function positionRow(holding: Holding, mergeable: boolean): Record<string, unknown> {
  const { market, outcome, wallet } = holding;
  const other: OutcomeIndex = outcome === 0 ? 1 : 0;
  const money = positionFigures(holding);
  const status = positionStatus(holding);
  return {
    proxy_wallet: wallet.address,
    token_id: market.token_ids[outcome],
    condition_id: market.condition_id,
    current_size: money.size,
    avg_price: money.avg_price,
    entry_cost_usdc: money.cost,
    entry_fees_usdc: money.fees,
    total_cost_usdc: money.cost,
    current_price: money.price,
    current_value: money.value,
    total_size: money.bought,
    realized_pnl: money.realized,
    unrealized_pnl: money.unrealized,
    total_pnl: money.total,
    percent_pnl: money.percent,
    percent_realized_pnl: money.percent_realized,
    status: status === "REDEEMABLE_LOST" ? "REDEEMABLE" : status,
    redeemable: status === "REDEEMABLE" || status === "REDEEMABLE_LOST",
    mergeable,
    negative_risk: market.neg_risk,
    archived: false,
    title: market.question,
    slug: market.slug,
    icon: "",
    event_id: market.event.id,
    event_slug: market.event.slug,
    outcome: market.outcomes[outcome],
    outcome_index: outcome,
    opposite_outcome: market.outcomes[other],
    opposite_token_id: market.token_ids[other],
    end_date: calendarDate(market.end_ms),
    last_event_at: Math.floor(holding.last_ms / 1000),
    name: wallet.name,
    profile_image: "",
    verified: false,
  };
}

/** A row of v1 `/positions`, and with `timestamp` of `/closed-positions`. */
export function positionRowV1(holding: Holding, mergeable: boolean): Record<string, unknown> {
  const { market, outcome, wallet } = holding;
  const other: OutcomeIndex = outcome === 0 ? 1 : 0;
  const money = positionFigures(holding);
  return {
    proxyWallet: wallet.address,
    asset: market.token_ids[outcome],
    conditionId: market.condition_id,
    size: money.size,
    avgPrice: money.avg_price,
    initialValue: money.cost,
    currentValue: money.value,
    cashPnl: money.unrealized,
    percentPnl: money.percent,
    totalBought: money.bought,
    realizedPnl: money.realized,
    percentRealizedPnl: money.percent_realized,
    curPrice: money.price,
    redeemable: market.payout_numerators !== null,
    mergeable,
    title: market.question,
    slug: market.slug,
    icon: "",
    eventSlug: market.event.slug,
    outcome: market.outcomes[outcome],
    outcomeIndex: outcome,
    oppositeOutcome: market.outcomes[other],
    oppositeAsset: market.token_ids[other],
    endDate: calendarDate(market.end_ms),
    negativeRisk: market.neg_risk,
  };
}
