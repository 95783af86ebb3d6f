/** A table that the generator writes: how its rows lie in RowBinary, and what of them goes to Parquet. */
export interface OutputTable {
  /** Path under `out`; `#` becomes shard and part number. */
  file: string;
  /** ClickHouse structure of the RowBinary row. */
  structure: string;
  /** SELECT list over that structure. */
  select: string;
}

const PLACE = "block_time_ms Int64, block_number UInt32, log_index UInt32, tx_hash FixedString(32)";

/** All tables, by name; their columns are described in generate.ts. */
export const OUTPUT_TABLES = {
  fills: {
    file: "fills/part-#.parquet",
    structure: `${PLACE}, order_hash FixedString(32), wallet FixedString(20), condition_id FixedString(32), token_id FixedString(32), outcome_index UInt8, side UInt8, role UInt8, kind UInt8, version UInt8, shares_micro Int64, usd_micro Int64, fee_micro Int64`,
    select:
      "block_time_ms, block_number, log_index, tx_hash, order_hash, wallet, condition_id, token_id, outcome_index, ['BUY','SELL'][side + 1] AS side, ['maker','taker'][role + 1] AS role, ['complementary','mint','merge'][kind + 1] AS kind, ['V1','V2'][version] AS exchange_version, shares_micro, usd_micro, fee_micro",
  },
  operations: {
    file: "operations/part-#.parquet",
    structure: `${PLACE}, wallet FixedString(20), condition_id FixedString(32), token_id_a FixedString(32), token_id_b FixedString(32), neg_risk_market_id FixedString(32), question_index UInt8, kind UInt8, yes_micro Int64, no_micro Int64, usd_micro Int64`,
    select:
      "block_time_ms, block_number, log_index, tx_hash, wallet, condition_id, token_id_a, token_id_b, neg_risk_market_id, question_index, ['split','merge','convert','redeem','transfer'][kind + 1] AS kind, yes_micro, no_micro, usd_micro",
  },
  book_changes: {
    file: "order_book_changes/part-#.parquet",
    structure:
      "seq Int64, time_ms Int64, condition_id FixedString(32), token_id FixedString(32), outcome_index UInt8, side UInt8, price_e4 UInt32, size_micro Int64, best_bid_e4 UInt32, best_ask_e4 UInt32",
    select:
      "seq, time_ms, condition_id, token_id, outcome_index, ['BUY','SELL'][side + 1] AS side, price_e4, size_micro, best_bid_e4, best_ask_e4",
  },
  book_snapshots: {
    file: "order_book_snapshots/part-#.parquet",
    structure:
      "seq Int64, time_ms Int64, condition_id FixedString(32), token_id FixedString(32), outcome_index UInt8, bid_prices_e4 Array(UInt32), bid_sizes_micro Array(Int64), ask_prices_e4 Array(UInt32), ask_sizes_micro Array(Int64)",
    select: "*",
  },
  kalshi_trades: {
    file: "kalshi_trades/part-#.parquet",
    structure:
      "created_time_ms Int64, trade_id String, ticker String, yes_price_e4 UInt32, count_cc Int64, taker_side UInt8, is_block_trade UInt8",
    select:
      "created_time_ms, trade_id, ticker, yes_price_e4, count_cc, ['yes','no'][taker_side + 1] AS taker_side, is_block_trade = 1 AS is_block_trade",
  },
} as const satisfies Record<string, OutputTable>;

export type OutputTableName = keyof typeof OUTPUT_TABLES;
