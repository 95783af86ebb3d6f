import type { KalshiEvent } from "../../world/kalshi-contract.ts";
import { toTime } from "./texts.ts";

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
