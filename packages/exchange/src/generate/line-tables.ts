import { columnSql, selectOf, type TableFile } from "./table-file.ts";

const { micro, maybeE4, hundredth, moment: timestamp, second, maybeSecond, bytes } = columnSql;

/** Tables that the shards write as JSON lines (`lines`), as they are small; converted to Parquet at the end. */
export interface LineTable {
  lines: string;
  file: string;
  structure: string;
  select: string;
  rest: string;
}

/** Contracts that report outcomes: see reference/polymarket.md §8.1. */
const ORACLES = {
  negRisk: "0xd91e80cf2e7be2e162c6513ced06f1dd0da35296",
  others: "0x157ce2d672854c848c9b79c49a8cc6cc89176a49",
};
const MARKETS =
  "condition_id String, market_id String, question String, slug String, outcome_a String, outcome_b String, token_id_a String, token_id_b String, event_id String, event_slug String, event_title String, question_id String, question_index UInt8, category String, tags Array(String), neg_risk Bool, neg_risk_market_id String, tick_e4 UInt32, fee_rate_e4 UInt32, created_ms Int64, created_block UInt32, created_block_ms Int64, start_ms Int64, end_ms Int64, closed_ms Nullable(Int64), resolved_ms Nullable(Int64), resolved_block Nullable(UInt32), resolved_block_ms Nullable(Int64), resolved_log_index Nullable(UInt32), resolved_tx String, payout_a Nullable(UInt8), payout_b Nullable(UInt8), volume_micro Int64, last_price_e4 Nullable(UInt32)";

/** Builds a service table from the lines of markets. */
const ofMarkets = ({ file, select, rest = "" }: TableFile): LineTable => ({
  lines: "markets-*.jsonl",
  file,
  structure: MARKETS,
  select: selectOf({ file, select }),
  rest,
});

const markets = ofMarkets({
  file: "polymarket_markets.parquet",
  rest: "ORDER BY created_ms, market_id",
  select: {
    condition_id: bytes("condition_id", 32),
    gamma_id: "market_id",
    question_id: "question_id",
    question: "question",
    slug: "slug",
    event_slug: "event_slug",
    start_date: timestamp("created_ms", 6),
    end_date: maybeSecond("end_ms"),
    event_start: maybeSecond("start_ms"),
    closed: "isNotNull(closed_ms)",
    closed_date: maybeSecond("closed_ms"),
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
    updated_at: timestamp("coalesce(closed_ms, created_ms)", 6),
  },
});

const tokens = ofMarkets({
  file: "polymarket_tokens.parquet",
  rest: "ARRAY JOIN [(token_id_a, outcome_a, 0), (token_id_b, outcome_b, 1)] AS token ORDER BY created_ms, market_id, token.3",
  select: {
    token_id: "toUInt256(token.1)",
    condition_id: bytes("condition_id", 32),
    outcome_index: "token.3",
    outcome: "token.2",
    slug: "slug",
  },
});

const events = ofMarkets({
  file: "polymarket_events.parquet",
  rest: "GROUP BY event_id ORDER BY min(created_ms), event_id",
  select: {
    event_id: "event_id",
    slug: "any(event_slug)",
    title: "any(event_title)",
    series_slug: "''",
    start_date: timestamp("min(start_ms)", 6),
    end_date: maybeSecond("max(end_ms)"),
    created_date: timestamp("min(created_ms)", 6),
    closed: "false",
    active: "true",
    archived: "false",
    volume: micro("sum(volume_micro)"),
    market_count: "toUInt32(count())",
    neg_risk: "any(neg_risk)",
    neg_risk_market_id: "''",
    tags: "any(tags)",
  },
});

const resolutions = ofMarkets({
  file: "polymarket_resolutions.parquet",
  rest: "WHERE isNotNull(resolved_block) AND isNotNull(payout_a) ORDER BY resolved_block, resolved_log_index",
  select: {
    ts: second("resolved_block_ms"),
    tx_hash: bytes("resolved_tx", 32),
    log_index: "assumeNotNull(resolved_log_index)",
    condition_id: bytes("condition_id", 32),
    oracle: bytes(`if(neg_risk, '${ORACLES.negRisk}', '${ORACLES.others}')`, 20),
    question_id: bytes("question_id", 32),
    payout_numerators: "[toUInt256(assumeNotNull(payout_a)), toUInt256(assumeNotNull(payout_b))]",
    payouts:
      "arrayMap(p -> CAST(toDecimal128(p, 6) / assumeNotNull(payout_a + payout_b), 'Decimal64(6)'), [assumeNotNull(payout_a), assumeNotNull(payout_b)])",
    block_number: "assumeNotNull(resolved_block)",
  },
});

const negRiskQuestions = ofMarkets({
  file: "polymarket_neg_risk_questions.parquet",
  rest: "WHERE neg_risk ORDER BY created_block, question_id",
  select: {
    ts: second("created_block_ms"),
    tx_hash: "toFixedString(SHA256(question_id), 32)",
    log_index: "toUInt32(question_index * 2 + 1)",
    market_id: bytes("neg_risk_market_id", 32),
    question_index: "question_index",
    question_id: bytes("question_id", 32),
    condition_id: bytes("condition_id", 32),
    block_number: "created_block",
  },
});

const NO_PRICE = "CAST(NULL, 'Nullable(Decimal64(6))')";

const kalshiMarkets: LineTable = {
  lines: "kalshi_markets.jsonl",
  file: "kalshi_markets.parquet",
  structure:
    "ticker String, event_ticker String, series_ticker String, category String, title String, created_ms Int64, open_ms Int64, close_ms Int64, settled_ms Nullable(Int64), status String, result String, settlement_value_e4 Nullable(UInt32), last_price_e4 Nullable(UInt32), volume_cc Int64, open_interest_cc Int64",
  rest: "ORDER BY created_ms, ticker",
  select: selectOf({
    file: "kalshi_markets.parquet",
    select: {
      ticker: "ticker",
      event_ticker: "event_ticker",
      series_ticker: "series_ticker",
      title: "title",
      status: "status",
      result: "nullIf(result, '')",
      last_price: maybeE4("last_price_e4"),
      yes_bid: NO_PRICE,
      yes_ask: NO_PRICE,
      volume: hundredth("volume_cc"),
      volume_24h: "toDecimal64(0, 6)",
      open_interest: hundredth("open_interest_cc"),
      settlement_value: maybeE4("settlement_value_e4"),
      open_time: timestamp("open_ms", 6),
      close_time: timestamp("close_ms", 6),
      expiration_time: timestamp("close_ms", 6),
      created_time: timestamp("created_ms", 6),
      settled_time: timestamp("settled_ms", 6),
      category: "category",
      market_type: "'binary'",
      updated_at: timestamp("coalesce(settled_ms, close_ms)", 6),
    },
  }),
};

/** Ground truth that the service should reproduce. */
const truth: LineTable = {
  lines: "wallets-*.jsonl",
  file: "truth/wallets.parquet",
  structure: "wallet String, cash_pnl_micro Int64",
  select: "*",
  rest: "ORDER BY wallet",
};

export const LINE_TABLES: readonly LineTable[] = [
  markets,
  tokens,
  events,
  resolutions,
  negRiskQuestions,
  kalshiMarkets,
  truth,
];
