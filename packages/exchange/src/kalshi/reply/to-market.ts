import type { KalshiLevel, KalshiMarket, KalshiEvent } from "../../world/kalshi-contract.ts";
import { toCount, toDollars, toTime } from "./texts.ts";

/** Market object of the 2026-09 schema: fixed-point strings, no cents, no `liquidity_dollars` (removed 2026-10-01). */
export function toMarket(market: KalshiMarket) {
  return { ...texts(market), ...times(market), ...quotes(market), ...outcome(market), ...strike(market) };
}

function texts(market: KalshiMarket) {
  return {
    ticker: market.ticker,
    event_ticker: market.event.event_ticker,
    market_type: "binary",
    title: market.title,
    subtitle: "",
    yes_sub_title: market.yes_sub_title,
    no_sub_title: market.no_sub_title,
    rules_primary: market.rules_primary,
    rules_secondary: "",
    can_close_early: true,
    early_close_condition: "This market will close and expire early if the event occurs.",
    price_level_structure: market.price_level_structure,
    price_ranges: market.price_ranges.map((range) => ({
      start: toDollars(range.start_e4),
      end: toDollars(range.end_e4),
      step: toDollars(range.step_e4),
    })),
    exchange_index: 0,
  };
}

function times(market: KalshiMarket) {
  return {
    created_time: toTime(market.created_ms, Number.parseInt(market.market_id.slice(0, 2), 16)),
    updated_time: toTime(market.updated_ms),
    open_time: toTime(market.open_ms),
    close_time: toTime(market.close_ms),
    expected_expiration_time: toTime(market.expected_expiration_ms),
    expiration_time: toTime(market.latest_expiration_ms),
    latest_expiration_time: toTime(market.latest_expiration_ms),
    settlement_timer_seconds: market.settlement_timer_seconds,
  };
}

/** Sentinels of an empty side: bid 0.0000, ask 1.0000. */
function quotes(market: KalshiMarket) {
  const book = market.book();
  const yes = book.yes.at(-1);
  const no = book.no.at(-1);
  const yesBid = yes?.price_e4 ?? 0;
  const noBid = no?.price_e4 ?? 0;
  return {
    yes_bid_dollars: toDollars(yesBid),
    yes_bid_size_fp: size(yes),
    yes_ask_dollars: toDollars(10_000 - noBid),
    yes_ask_size_fp: size(no),
    no_bid_dollars: toDollars(noBid),
    no_ask_dollars: toDollars(10_000 - yesBid),
    last_price_dollars: toDollars(market.last_price_e4 ?? 0),
    previous_price_dollars: toDollars(market.previous_price_e4 ?? 0),
    previous_yes_bid_dollars: toDollars(market.previous_yes_bid_e4 ?? 0),
    previous_yes_ask_dollars: toDollars(market.previous_yes_ask_e4 ?? 0),
    volume_fp: toCount(market.volume_cc),
    volume_24h_fp: toCount(market.volume_24h_cc()),
    open_interest_fp: toCount(market.open_interest_cc),
    notional_value_dollars: "1.0000",
  };
}

function outcome(market: KalshiMarket) {
  return {
    status: market.status,
    result: market.result,
    expiration_value: market.expiration_value,
    ...(market.settlement_value_e4 !== null && { settlement_value_dollars: toDollars(market.settlement_value_e4) }),
    ...(market.settled_ms !== null && { settlement_ts: toTime(market.settled_ms) }),
  };
}

function strike(market: KalshiMarket) {
  return {
    ...(market.strike_type !== "" && { strike_type: market.strike_type }),
    ...(market.floor_strike !== null && { floor_strike: market.floor_strike }),
    ...(market.cap_strike !== null && { cap_strike: market.cap_strike }),
  };
}

function size(level: KalshiLevel | undefined): string {
  return toCount(level?.size_cc ?? 0);
}

/** Event object, without its markets. */
export function toEvent(event: KalshiEvent) {
  return {
    event_ticker: event.event_ticker,
    series_ticker: event.series.ticker,
    title: event.title,
    sub_title: event.sub_title,
    category: event.series.category,
    mutually_exclusive: event.mutually_exclusive,
    collateral_return_type: event.mutually_exclusive ? "MECNET" : "",
    settlement_sources: event.series.settlement_sources,
    ...(event.strike_ms === null ? { strike_period: "" } : { strike_date: toTime(event.strike_ms) }),
    last_updated_ts: toTime(event.updated_ms),
    exchange_index: 0,
  };
}
