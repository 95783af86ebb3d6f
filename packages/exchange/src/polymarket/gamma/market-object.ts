import { getAddress } from "viem/utils";
import { ADDRESSES } from "../../world/chain/addresses.ts";
import type { PolymarketMarket } from "../../world/contract.ts";
import { REBATE_RATE_E4 } from "../../world/income-contract.ts";
import { decimalText, calendarDate, isoPrecise, isoSeconds, postgresTime } from "../value-text.ts";

/** Address of the resolver of markets without automatic resolution, as Gamma writes it. */
const UMA_ADAPTER = getAddress(ADDRESSES.uma_adapter);
const picture = "https://polymarket-upload.s3.us-east-2.amazonaws.com/paper-market.png";

/**
 * A market as Gamma returns it, without `events` and `tags` (the caller adds them where Gamma does). Gamma's quirks are
 * kept: JSON inside strings, `volume` a string alongside `volumeNum` a number, "" for missing values, `closedTime` in
 * Postgres form, fields that only exist once they have a meaning. Shape: recorded captures/gamma_market*.json.
 */
export function marketObject(market: PolymarketMarket, nowMs: number): Record<string, unknown> {
  return {
    id: market.id,
    question: market.question,
    conditionId: market.condition_id,
    slug: market.slug,
    resolutionSource: market.resolution_source,
    endDate: isoSeconds(market.end_ms),
    startDate: isoPrecise(market.start_ms),
    image: picture,
    icon: picture,
    description: market.description,
    outcomes: jsonList(market.outcomes),
    active: true,
    closed: market.closed,
    marketMakerAddress: "",
    createdAt: isoPrecise(market.created_ms),
    updatedAt: isoPrecise(updatedMs(market, nowMs)),
    new: false,
    featured: false,
    archived: false,
    restricted: true,
    questionID: market.question_id,
    enableOrderBook: true,
    orderPriceMinTickSize: market.tick_e4 / 10_000,
    orderMinSize: market.min_size_micro / 1_000_000,
    endDateIso: calendarDate(market.end_ms),
    startDateIso: calendarDate(market.start_ms),
    hasReviewedDates: true,
    clobTokenIds: jsonList(market.token_ids),
    makerBaseFee: 1000,
    takerBaseFee: 1000,
    acceptingOrders: market.accepting_orders,
    acceptingOrdersTimestamp: isoSeconds(market.start_ms),
    ready: false,
    funded: false,
    cyom: false,
    pagerDutyNotificationEnabled: false,
    approved: true,
    rewardsMinSize: 50,
    rewardsMaxSpread: 4.5,
    automaticallyActive: true,
    clearBookOnStart: market.event_start_ms === null,
    showGmpSeries: false,
    showGmpOutcome: false,
    manualActivation: false,
    pendingDeployment: false,
    deploying: false,
    rfqEnabled: false,
    holdingRewardsEnabled: false,
    requiresTranslation: false,
    comboStatus: "disabled",
    ...money(market),
    ...prices(market),
    ...fees(market),
    ...group(market),
    ...resolution(market),
    ...sports(market),
  };
}

function money(market: PolymarketMarket): Record<string, unknown> {
  const volume = market.volume_micro / 1_000_000;
  const day = market.volume_24h_micro() / 1_000_000;
  const liquidity = market.closed ? 0 : market.liquidity_micro();
  return {
    volume: decimalText(market.volume_micro),
    volumeNum: volume,
    volumeClob: volume,
    volume24hr: day,
    volume24hrClob: day,
    volume1wk: volume,
    volume1wkClob: volume,
    volume1mo: volume,
    volume1moClob: volume,
    volume1yr: volume,
    volume1yrClob: volume,
    liquidity: decimalText(liquidity),
    liquidityNum: liquidity / 1_000_000,
    liquidityClob: liquidity / 1_000_000,
  };
}

function prices(market: PolymarketMarket): Record<string, unknown> {
  const yes = priceOf(market);
  const shown: Record<string, unknown> = {
    outcomePrices: jsonList([String(rounded(yes)), String(rounded(1 - yes))]),
    competitive: rounded(1 / (1 + (yes - 0.5) ** 2)),
  };
  const bid = market.bestBid(0);
  const ask = market.bestAsk(0);
  if (market.last_trade_price_e4 !== null) shown["lastTradePrice"] = market.last_trade_price_e4 / 10_000;
  if (bid !== null) shown["bestBid"] = bid / 10_000;
  if (ask !== null) shown["bestAsk"] = ask / 10_000;
  shown["spread"] = ((ask ?? 10_000) - (bid ?? 0)) / 10_000;
  return shown;
}

function fees(market: PolymarketMarket): Record<string, unknown> {
  if (market.fee_rate_e4 === 0) return { feesEnabled: false, feeType: null };
  const rate = market.fee_rate_e4 / 10_000;
  const feeSchedule = { exponent: 1, rate, takerOnly: true, rebateRate: REBATE_RATE_E4 / 10_000 };
  return { feesEnabled: true, feeType: market.fee_type, makerRebatesFeeShareBps: 10_000, feeSchedule };
}

function group(market: PolymarketMarket): Record<string, unknown> {
  const shown: Record<string, unknown> = {
    groupItemThreshold: String(market.question_index),
    negRisk: market.neg_risk,
    negRiskOther: false,
  };
  if (market.group_item_title !== "") shown["groupItemTitle"] = market.group_item_title;
  if (!market.neg_risk) return { ...shown, negRiskRequestID: "" };
  return { ...shown, negRiskMarketID: market.event.neg_risk_market_id, negRiskRequestID: market.question_id };
}

function resolution(market: PolymarketMarket): Record<string, unknown> {
  const steps = market.uma_status === "" || market.automatically_resolved ? [] : ["proposed"];
  if (market.was_disputed) steps.push("disputed");
  const shown: Record<string, unknown> = { umaResolutionStatuses: jsonList(steps) };
  if (market.uma_status !== "") shown["umaResolutionStatus"] = market.uma_status;
  if (market.automatically_resolved) shown["automaticallyResolved"] = true;
  else Object.assign(shown, { umaBond: "500", umaReward: "5", customLiveness: 0, resolvedBy: UMA_ADAPTER });
  if (market.closed_ms === null) return shown;
  const closed = market.resolved_ms ?? market.closed_ms;
  return { ...shown, closedTime: postgresTime(closed), umaEndDate: isoSeconds(closed) };
}

function sports(market: PolymarketMarket): Record<string, unknown> {
  if (market.event_start_ms === null) return {};
  const start = { eventStartTime: isoSeconds(market.event_start_ms) };
  if (market.event.series !== null) return start;
  return {
    ...start,
    gameStartTime: postgresTime(market.event_start_ms),
    sportsMarketType: "moneyline",
    secondsDelay: 3,
    gameId: market.event.id,
  };
}

function updatedMs(market: PolymarketMarket, nowMs: number): number {
  return market.resolved_ms ?? market.closed_ms ?? Math.max(market.created_ms, nowMs - (nowMs % 60_000));
}

/** `["a", "b"]` with the space Gamma writes after the comma. */
function jsonList(items: readonly string[]): string {
  return `[${items.map((item) => JSON.stringify(item)).join(", ")}]`;
}

/** Current value of one share of the first outcome, in USD: its payout, the book's midpoint, the last trade, or 0.5. */
function priceOf(market: PolymarketMarket): number {
  const payout = market.payout_numerators;
  if (payout !== null) return payout[0] / (payout[0] + payout[1]);
  const bid = market.bestBid(0);
  const ask = market.bestAsk(0);
  if (bid !== null && ask !== null) return (bid + ask) / 20_000;
  return (market.last_trade_price_e4 ?? 5000) / 10_000;
}

function rounded(value: number): number {
  return Number(value.toFixed(6));
}
