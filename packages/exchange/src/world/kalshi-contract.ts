/** Kalshi as seen by its endpoints; units as in contract.ts. The unit of a count is 0.01 contract (`_cc`). */
import type { Happened } from "./happened.ts";

export type KalshiStatus =
  | "initialized"
  | "active"
  | "inactive"
  | "closed"
  | "determined"
  | "disputed"
  | "amended"
  | "finalized";

export interface KalshiSeries {
  ticker: string;
  category: string;
  settlement_sources: { name: string; url: string }[];
}

export interface KalshiEvent {
  event_ticker: string;
  series: KalshiSeries;
  title: string;
  sub_title: string;
  mutually_exclusive: boolean;
  strike_ms: number | null;
  updated_ms: number;
  markets: KalshiMarket[];
}

export interface KalshiLevel {
  price_e4: number;
  size_cc: number;
}

/** Bids only, both ascending (best is last): the YES ask is 1 − the best NO bid. */
export interface KalshiBook {
  yes: KalshiLevel[];
  no: KalshiLevel[];
}

/** What distinguishes a market from the others of its event; known before it exists. */
export interface KalshiNames {
  title: string;
  yes_sub_title: string;
  strike_type: "greater" | "less" | "between" | "custom" | "";
  floor_strike: number | null;
  cap_strike: number | null;
}

export interface KalshiMarket extends KalshiNames {
  ticker: string;
  /** UUID. */
  market_id: string;
  event: KalshiEvent;
  no_sub_title: string;
  rules_primary: string;
  price_level_structure: "linear_cent" | "deci_cent" | "tapered_deci_cent";
  price_ranges: { start_e4: number; end_e4: number; step_e4: number }[];
  created_ms: number;
  open_ms: number;
  close_ms: number;
  expected_expiration_ms: number;
  latest_expiration_ms: number;
  updated_ms: number;
  determined_ms: number | null;
  settled_ms: number | null;
  status: KalshiStatus;
  result: "" | "yes" | "no" | "scalar";
  /** Payout of YES; null until determined. */
  settlement_value_e4: number | null;
  expiration_value: string;
  settlement_timer_seconds: number;
  last_price_e4: number | null;
  previous_price_e4: number | null;
  previous_yes_bid_e4: number | null;
  previous_yes_ask_e4: number | null;
  volume_cc: number;
  open_interest_cc: number;
  volume_24h_cc(): number;
  book(): KalshiBook;
  /** Oldest first. */
  trades(): readonly KalshiTrade[];
  /** Quote after each change, for candles: oldest first, thinned to at most one a minute. */
  quotes(): readonly KalshiQuote[];
}

export interface KalshiQuote {
  ms: number;
  yes_bid_e4: number | null;
  yes_ask_e4: number | null;
}

export interface KalshiTrade extends Happened {
  kind: "kalshi_trade";
  /** UUID. */
  trade_id: string;
  market: KalshiMarket;
  yes_price_e4: number;
  count_cc: number;
  taker_side: "yes" | "no";
  is_block_trade: boolean;
}

export interface KalshiBookHappening extends Happened {
  kind: "kalshi_book";
  market: KalshiMarket;
  side: "yes" | "no";
  price_e4: number;
  /** Signed change of the level. */
  delta_cc: number;
}

export interface KalshiLifecycleHappening extends Happened {
  kind: "kalshi_lifecycle";
  market: KalshiMarket;
  event_type: "created" | "activated" | "deactivated" | "close_date_updated" | "determined" | "settled";
}
