/**
 * The part of the world that the simulated exchange endpoints may read.
 *
 * Units, everywhere: `_micro` = 1e-6 shares or 1e-6 USD; `_e4` = 1e-4 USD (0.52 is 5200); `_cc` = 1e-2 Kalshi
 * contracts; `_ms` = Unix milliseconds of world time. All are safe integers. Share sizes are whole multiples of 10,000
 * micro (0.01 share), so `usd_micro = price_e4 * shares_micro / 10_000` is exact. Hex is lower case, token ids are
 * decimal strings. Objects are live: a market's fields change as the world advances, so copy values you keep.
 */
import type { Happened } from "./happened.ts";
import type { OperationHappening, TransferHappening } from "./operation-contract.ts";
import type { SocialHappening } from "./social-happenings.ts";
import type { KalshiBookHappening, KalshiLifecycleHappening, KalshiTrade } from "./kalshi-contract.ts";

export type Hex = `0x${string}`;
export type OutcomeIndex = 0 | 1;
export type Side = "BUY" | "SELL";
export type MatchKind = "complementary" | "mint" | "merge";
export type ExchangeVersion = "V1" | "V2";

export interface Tag {
  id: string;
  label: string;
  slug: string;
}

/** One price level of a book with the total size resting there. */
export interface BookLevel {
  price_e4: number;
  size_micro: number;
}

/** Both sides ascending by price: best bid is the last of `bids`, best ask the first of `asks`. */
export interface PolymarketBook {
  bids: BookLevel[];
  asks: BookLevel[];
  /** 40 hex; changes with every change of the book of this token and equals the `hash` of the last BookChange. */
  hash: string;
  /** World time of the last change. */
  timestamp_ms: number;
}

export interface PolymarketSeries {
  id: string;
  slug: string;
  title: string;
  recurrence: string;
}

export interface PolymarketEvent {
  id: string;
  slug: string;
  title: string;
  description: string;
  tags: Tag[];
  category: string;
  neg_risk: boolean;
  /** Only when `neg_risk`. */
  neg_risk_market_id: Hex | null;
  series: PolymarketSeries | null;
  created_ms: number;
  start_ms: number;
  end_ms: number;
  markets: PolymarketMarket[];
}

/** Names and ids of a market; created once and then constant. */
export interface MarketNames {
  /** Decimal integer; increases with creation. */
  id: string;
  condition_id: Hex;
  question_id: Hex;
  /**
   * Contract that may report the payout (UMA adapter, NegRiskAdapter, …): `condition_id = keccak256(oracle,
   * question_id, 2)`.
   */
  oracle: Hex;
  question: string;
  slug: string;
  description: string;
  outcomes: [string, string];
  token_ids: [string, string];
  group_item_title: string;
  /** Fee type as Gamma names it: crypto_fees_v2, sports_fees, politics_fees, …; null without fee. */
  fee_type: string | null;
  resolution_source: string;
}

export interface PolymarketMarket extends MarketNames {
  event: PolymarketEvent;
  question_index: number;
  neg_risk: boolean;
  tick_e4: number;
  min_size_micro: number;
  /** Taker fee rate in 1e-4: 700 is 0.07; 0 is no fee. */
  fee_rate_e4: number;
  created_ms: number;
  start_ms: number;
  end_ms: number;
  /** Start of the window of an up/down market, start of the game in sports, else null. */
  event_start_ms: number | null;
  closed_ms: number | null;
  resolved_ms: number | null;
  /** True once trading has ended. */
  closed: boolean;
  accepting_orders: boolean;
  /** [1,0], [0,1], or [1,1] for a 50/50 void; null until resolved. */
  payout_numerators: [number, number] | null;
  uma_status: "" | "proposed" | "disputed" | "resolved";
  was_disputed: boolean;
  automatically_resolved: boolean;
  /** USD paid in by the taker's side (price × shares of the taker's token), counting each match once. */
  volume_micro: number;
  last_trade_price_e4: number | null;
  open_interest_micro: number;
  liquidity_micro(): number;
  volume_24h_micro(): number;
  /** The book of one token; the NO book is the mirror of YES at 1 − p, as on the real CLOB. */
  book(outcome: OutcomeIndex): PolymarketBook;
  bestBid(outcome: OutcomeIndex): number | null;
  bestAsk(outcome: OutcomeIndex): number | null;
  /** All matches of the market, oldest first. */
  matches(): readonly MatchHappening[];
}

export interface Wallet {
  address: Hex;
  name: string;
  pseudonym: string;
  created_ms: number;
}

/** A wallet's balance of one token, and its average-cost account (fees excluded). */
export interface Holding {
  wallet: Wallet;
  market: PolymarketMarket;
  outcome: OutcomeIndex;
  shares_micro: number;
  /** Cost of the shares still held, average-cost method; a split values both at 0.50. */
  cost_micro: number;
  realized_pnl_micro: number;
  fees_micro: number;
}

/** One filled order: an OrderFilled log. */
export interface FillLeg {
  order_hash: Hex;
  wallet: Hex;
  outcome: OutcomeIndex;
  token_id: string;
  side: Side;
  price_e4: number;
  shares_micro: number;
  usd_micro: number;
  /** 0 for makers. Takers: rate·p·(1−p)·shares, floored to 5 decimals. */
  fee_micro: number;
  log_index: number;
  role: "maker" | "taker";
  /** How this maker leg matched the taker; for the taker leg, the kind of its first maker. */
  kind: MatchKind;
}

/** Position of a transaction on the simulated chain. */
export interface TxPlace {
  tx_hash: Hex;
  block_number: number;
  tx_index: number;
  /** Whole seconds × 1000: the timestamp of the block. */
  block_ms: number;
  /** Index of the first log of this happening; a transaction may contain several happenings. */
  first_log_index: number;
}

/**
 * One settlement transaction. The taker's `price_e4` is the average of its makers, rounded down; its amounts are exact.
 */
export interface MatchHappening extends Happened, TxPlace {
  kind: "match";
  exchange_version: ExchangeVersion;
  market: PolymarketMarket;
  taker: FillLeg;
  makers: FillLeg[];
  /** Last maker's price level, in terms of the taker's token: the value shown as last_trade_price. */
  touched_price_e4: number;
  /** Permanently dropped by a reorg: chain and Data API no longer have it. The world's own balances still do. */
  is_dropped?: boolean;
}

export interface LevelChange {
  price_e4: number;
  side: Side;
  /** New total of the level; 0 = gone. */
  size_micro: number;
}

/** One change of one token's book (each ladder change is emitted for both tokens, outcome 0 first). */
export interface BookHappening extends Happened {
  kind: "book";
  market: PolymarketMarket;
  outcome: OutcomeIndex;
  token_id: string;
  levels: LevelChange[];
  best_bid_e4: number | null;
  best_ask_e4: number | null;
  hash: string;
  /** True when a trade caused the change (the real server then sends a full `book` too). */
  by_trade: boolean;
}

export interface TickHappening extends Happened {
  kind: "tick_size";
  market: PolymarketMarket;
  old_tick_e4: number;
  new_tick_e4: number;
}

export interface MarketCreatedHappening extends Happened, TxPlace {
  kind: "market_created";
  market: PolymarketMarket;
}

/** Trading has ended; the resolution follows later. */
export interface MarketClosedHappening extends Happened {
  kind: "market_closed";
  market: PolymarketMarket;
}

export interface MarketDisputedHappening extends Happened {
  kind: "market_disputed";
  market: PolymarketMarket;
}

export interface MarketResolvedHappening extends Happened, TxPlace {
  kind: "market_resolved";
  /** Log index of its ConditionResolution. */
  log_index: number;
  market: PolymarketMarket;
  payout_numerators: [number, number];
  /** Null for a 50/50 void. */
  winner: OutcomeIndex | null;
}

export type Happening =
  | MatchHappening
  | BookHappening
  | TickHappening
  | MarketCreatedHappening
  | MarketClosedHappening
  | MarketDisputedHappening
  | MarketResolvedHappening
  | OperationHappening
  | TransferHappening
  | SocialHappening
  | KalshiTrade
  | KalshiBookHappening
  | KalshiLifecycleHappening;
