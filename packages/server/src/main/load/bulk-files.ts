import { bookEvents } from "../../tables/book-events.ts";
import { kalshiMarkets } from "../../tables/kalshi-markets.ts";
import { kalshiTrades } from "../../tables/kalshi-trades.ts";
import { polymarketEvents } from "../../tables/polymarket-events.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { ACTIVITY_FILES } from "./activity-files.ts";
import type { BulkFile } from "./bulk-file.ts";
import { parquetSql } from "./parquet-sql.ts";

const { micro, e4, maybeE4, hundredth, moment, seconds, bytes, tokenOf, levels } = parquetSql;

const MARKETS =
  "condition_id String, market_id String, question String, slug String, outcome_a String, outcome_b String, token_id_a String, token_id_b String, event_slug String, question_id String, category String, tags Array(String), neg_risk Bool, neg_risk_market_id String, tick_e4 UInt32, fee_rate_e4 UInt32, created_ms Int64, start_ms Int64, end_ms Int64, closed_ms Nullable(Int64), payout_a Nullable(UInt8), payout_b Nullable(UInt8), volume_micro Int64, last_price_e4 Nullable(UInt32)";
const token = (side: "a" | "b", index: number): BulkFile => ({
  files: "markets.parquet",
  table: polymarketTokens,
  structure: MARKETS,
  select: {
    token_id: `toUInt256(token_id_${side})`,
    condition_id: bytes("condition_id", 32),
    outcome_index: String(index),
    outcome: `outcome_${side}`,
    slug: "slug",
  },
});

const markets: BulkFile = {
  files: "markets.parquet",
  table: polymarketMarkets,
  structure: MARKETS,
  select: {
    condition_id: bytes("condition_id", 32),
    gamma_id: "market_id",
    question_id: "question_id",
    question: "question",
    slug: "slug",
    event_slug: "event_slug",
    start_date: moment("created_ms", 6),
    end_date: seconds("end_ms"),
    event_start: seconds("start_ms"),
    closed: "isNotNull(closed_ms)",
    closed_date: seconds("closed_ms"),
    active: "true",
    accepting_orders: "isNull(closed_ms)",
    volume_total: micro("volume_micro"),
    volume_24h: "toDecimal64(0, 6)",
    liquidity: "toDecimal64(0, 6)",
    side_a_outcome: "outcome_a",
    side_b_outcome: "outcome_b",
    side_a_token_id: "toUInt256(token_id_a)",
    side_b_token_id: "toUInt256(token_id_b)",
    side_a_price: maybeE4("last_price_e4"),
    side_b_price: maybeE4("10000 - last_price_e4"),
    winning_outcome:
      "multiIf(payout_a = 1 AND payout_b = 0, outcome_a, payout_a = 0 AND payout_b = 1, outcome_b, NULL)",
    resolution_status: "if(isNull(payout_a), '', 'resolved')",
    payout_a: "CAST(toDecimal128(payout_a, 6) / (payout_a + payout_b), 'Nullable(Decimal64(6))')",
    category: "category",
    tags: "tags",
    neg_risk: "neg_risk",
    neg_risk_market_id: "neg_risk_market_id",
    resolution_source: "''",
    tick_size: maybeE4("tick_e4"),
    min_size: "toDecimal64(5, 6)",
    fee_rate: maybeE4("fee_rate_e4"),
    updated_at: moment("coalesce(closed_ms, created_ms)", 6),
  },
};

const events: BulkFile = {
  files: "events.parquet",
  table: polymarketEvents,
  structure:
    "event_id String, event_slug String, event_title String, tags Array(String), neg_risk Bool, markets UInt64, created_ms Int64, start_ms Int64, end_ms Int64, volume_micro Int64",
  select: {
    event_id: "event_id",
    slug: "event_slug",
    title: "event_title",
    series_slug: "''",
    start_date: moment("start_ms", 6),
    end_date: seconds("end_ms"),
    created_date: moment("created_ms", 6),
    closed: "false",
    active: "true",
    archived: "false",
    volume: micro("volume_micro"),
    market_count: "toUInt32(markets)",
    neg_risk: "neg_risk",
    neg_risk_market_id: "''",
    tags: "tags",
  },
};

const fills: BulkFile = {
  files: "fills/*.parquet",
  table: polymarketFills,
  structure:
    "block_time_ms Int64, block_number UInt32, log_index UInt32, tx_hash FixedString(32), order_hash FixedString(32), wallet FixedString(20), token_id FixedString(32), side String, role String, kind String, exchange_version String, shares_micro Int64, usd_micro Int64, fee_micro Int64",
  select: {
    ts: "toDateTime(intDiv(block_time_ms, 1000), 'UTC')",
    tx_hash: "tx_hash",
    order_hash: "order_hash",
    wallet: "wallet",
    token_id: tokenOf("token_id"),
    side: "side",
    role: "role",
    match_kind: "kind",
    shares: micro("shares_micro"),
    usd: micro("usd_micro"),
    fee_usd: micro("fee_micro"),
    block_number: "block_number",
    log_index: "log_index",
    source: "if(exchange_version = 'V1', 'chain_v1', 'chain_v2')",
  },
};

const bookPlace = {
  instrument: `toString(${tokenOf("token_id")})`,
  ts: moment("time_ms", 3),
  seq: "toUInt32(seq)",
  venue: "'polymarket'",
  hash: "''",
};

const bookSnapshots: BulkFile = {
  files: "order_book_snapshots/*.parquet",
  table: bookEvents,
  structure:
    "seq Int64, time_ms Int64, token_id FixedString(32), bid_prices_e4 Array(UInt32), bid_sizes_micro Array(Int64), ask_prices_e4 Array(UInt32), ask_sizes_micro Array(Int64)",
  select: {
    ...bookPlace,
    kind: "'snapshot'",
    bids: levels("bid_prices_e4", "bid_sizes_micro"),
    asks: levels("arrayReverse(ask_prices_e4)", "arrayReverse(ask_sizes_micro)"),
    best_bid: `if(empty(bid_prices_e4), NULL, ${e4("arrayMax(bid_prices_e4)")})`,
    best_ask: `if(empty(ask_prices_e4), NULL, ${e4("arrayMin(ask_prices_e4)")})`,
  },
};

const bookChanges: BulkFile = {
  files: "order_book_changes/*.parquet",
  table: bookEvents,
  structure:
    "seq Int64, time_ms Int64, token_id FixedString(32), side String, price_e4 UInt32, size_micro Int64, best_bid_e4 UInt32, best_ask_e4 UInt32",
  select: {
    ...bookPlace,
    kind: "'change'",
    bids: `if(side = 'BUY', ${levels("[price_e4]", "[size_micro]")}, [])`,
    asks: `if(side = 'SELL', ${levels("[price_e4]", "[size_micro]")}, [])`,
    best_bid: `if(best_bid_e4 = 0, NULL, ${e4("best_bid_e4")})`,
    best_ask: `if(best_ask_e4 = 10000, NULL, ${e4("best_ask_e4")})`,
  },
};

const kalshiMarketFile: BulkFile = {
  files: "kalshi_markets.parquet",
  table: kalshiMarkets,
  structure:
    "ticker String, event_ticker String, series_ticker String, category String, title String, created_ms Int64, open_ms Int64, close_ms Int64, settled_ms Nullable(Int64), status String, result String, settlement_value_e4 Nullable(UInt32), last_price_e4 Nullable(UInt32), volume_cc Int64, open_interest_cc Int64",
  select: {
    ticker: "ticker",
    event_ticker: "event_ticker",
    series_ticker: "series_ticker",
    title: "title",
    status: "status",
    result: "nullIf(result, '')",
    last_price: maybeE4("last_price_e4"),
    yes_bid: "NULL",
    yes_ask: "NULL",
    volume: hundredth("volume_cc"),
    volume_24h: "toDecimal64(0, 6)",
    open_interest: hundredth("open_interest_cc"),
    settlement_value: maybeE4("settlement_value_e4"),
    open_time: moment("open_ms", 6),
    close_time: moment("close_ms", 6),
    expiration_time: moment("close_ms", 6),
    created_time: moment("created_ms", 6),
    settled_time: moment("settled_ms", 6),
    category: "category",
    market_type: "'binary'",
    updated_at: moment("coalesce(settled_ms, close_ms)", 6),
  },
};

const kalshiTradeFiles: BulkFile = {
  files: "kalshi_trades/*.parquet",
  table: kalshiTrades,
  structure:
    "created_time_ms Int64, trade_id String, ticker String, yes_price_e4 UInt32, count_cc Int64, taker_side String, is_block_trade Bool",
  select: {
    created_time: moment("created_time_ms", 6),
    trade_id: "trade_id",
    ticker: "ticker",
    count: hundredth("count_cc"),
    yes_price: e4("yes_price_e4"),
    no_price: e4("10000 - yes_price_e4"),
    taker_side: "taker_side",
    is_block_trade: "is_block_trade",
  },
};

/** In the order in which they are loaded: catalogues first. */
export const BULK_FILES: readonly BulkFile[] = [
  markets,
  token("a", 0),
  token("b", 1),
  events,
  kalshiMarketFile,
  ...ACTIVITY_FILES,
  fills,
  kalshiTradeFiles,
  bookSnapshots,
  bookChanges,
];
