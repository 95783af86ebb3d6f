import type { KalshiEvent, KalshiLifecycleHappening, KalshiMarket } from "../../world/kalshi-contract.ts";
import { toDollars } from "../reply/to-dollars.ts";

/** Body of `market_lifecycle_v2`. Seconds here, not milliseconds. */
export function toLifecycleMessage(happening: KalshiLifecycleHappening) {
  const { market, event_type } = happening;
  return { event_type, market_ticker: market.ticker, ...details(market, event_type) };
}

/** Body of `event_lifecycle`, sent with the first market of an event. */
export function toEventMessage(event: KalshiEvent) {
  return {
    event_ticker: event.event_ticker,
    exchange_index: 0,
    title: event.title,
    subtitle: event.sub_title,
    collateral_return_type: event.mutually_exclusive ? "MECNET" : "",
    series_ticker: event.series.ticker,
    ...(event.strike_ms !== null && { strike_date: seconds(event.strike_ms) }),
  };
}

function details(market: KalshiMarket, type: KalshiLifecycleHappening["event_type"]) {
  if (type === "created") return created(market);
  if (type === "close_date_updated") return { close_ts: seconds(market.close_ms) };
  if (type === "activated" || type === "deactivated") return { is_deactivated: type === "deactivated" };
  if (type === "settled") return { settled_ts: seconds(market.settled_ms ?? 0) };
  return {
    result: market.result,
    determination_ts: seconds(market.determined_ms ?? 0),
    ...(market.settlement_value_e4 !== null && { settlement_value: toDollars(market.settlement_value_e4) }),
  };
}

function created(market: KalshiMarket) {
  return {
    exchange_index: 0,
    open_ts: seconds(market.open_ms),
    close_ts: seconds(market.close_ms),
    price_level_structure: market.price_level_structure,
    price_ranges: market.price_ranges.map((range) => ({
      start: toDollars(range.start_e4),
      end: toDollars(range.end_e4),
      step: toDollars(range.step_e4),
    })),
    additional_metadata: {
      name: market.yes_sub_title,
      title: market.title,
      yes_sub_title: market.yes_sub_title,
      no_sub_title: market.no_sub_title,
      rules_primary: market.rules_primary,
      rules_secondary: "",
      can_close_early: market.can_close_early,
      event_ticker: market.event.event_ticker,
      expected_expiration_ts: seconds(market.expected_expiration_ms),
      ...(market.strike_type !== "" && { strike_type: market.strike_type }),
      ...(market.floor_strike !== null && { floor_strike: market.floor_strike }),
      ...(market.cap_strike !== null && { cap_strike: market.cap_strike }),
    },
  };
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
