import { columnSql, type TableFile } from "./table-file.ts";
import { OPERATION_FILES } from "./operation-files.ts";

const { micro, e4, hundredth, moment: timestamp, second, tokenOf, levels } = columnSql;

/** A table that a shard writes in chunks: its RowBinary row format, and the files made from its rows. */
export interface OutputTable {
  /** ClickHouse structure of the RowBinary row. */
  structure: string;
  /** SELECT list over that structure; the files' SELECT lists read from its result. */
  decoded: string;
  files: readonly TableFile[];
}

const PLACE = "block_time_ms Int64, block_number UInt32, log_index UInt32, tx_hash FixedString(32)";
const BOOK = {
  instrument: `toString(${tokenOf("token_id")})`,
  ts: timestamp("time_ms", 3),
  seq: "toUInt32(seq)",
  venue: "'polymarket'",
  hash: "''",
};

/**
 * All chunked tables, by name. Times are Unix ms, `_micro` 1e-6 shares or USD, `_e4` 1e-4 USD, `_cc` 1e-2 contracts;
 * ids are raw big-endian bytes.
 */
export const OUTPUT_TABLES = {
  /** Makers' fee is 0; (tx_hash, log_index) is unique. */
  fills: {
    structure: `${PLACE}, order_hash FixedString(32), wallet FixedString(20), token_id FixedString(32), side UInt8, role UInt8, kind UInt8, shares_micro Int64, usd_micro Int64, fee_micro Int64`,
    decoded: "*",
    files: [
      {
        file: "polymarket_fills/part-#.parquet",
        select: {
          ts: second("block_time_ms"),
          tx_hash: "tx_hash",
          order_hash: "order_hash",
          wallet: "wallet",
          token_id: tokenOf("token_id"),
          side: "['BUY', 'SELL'][side + 1]",
          role: "['maker', 'taker'][role + 1]",
          match_kind: "['complementary', 'mint', 'merge'][kind + 1]",
          shares: micro("shares_micro"),
          usd: micro("usd_micro"),
          fee_usd: micro("fee_micro"),
          block_number: "block_number",
          log_index: "log_index",
          source: "'chain_v2'",
          // No row came from the Data API first.
          alike_number: "toUInt32(0)",
        },
      },
    ],
  },
  /**
   * Amounts a wallet received (negative: gave). A conversion has one row per question, a transfer between wallets one
   * per wallet, the sender's first: rows of one (tx_hash, log_index) are in one chunk.
   */
  operations: {
    structure: `${PLACE}, wallet FixedString(20), condition_id FixedString(32), token_id_a FixedString(32), token_id_b FixedString(32), neg_risk_market_id FixedString(32), question_index UInt8, kind UInt8, yes_micro Int64, no_micro Int64, usd_micro Int64`,
    decoded: "* REPLACE (['split', 'merge', 'convert', 'redeem', 'transfer'][kind + 1] AS kind)",
    files: OPERATION_FILES,
  },
  /** `size_micro` is the new total, 0 = gone; `best_bid_e4` 0 and `best_ask_e4` 10000 = none. */
  book_changes: {
    structure:
      "seq Int64, time_ms Int64, token_id FixedString(32), side UInt8, price_e4 UInt32, size_micro Int64, best_bid_e4 UInt32, best_ask_e4 UInt32",
    decoded: "*",
    files: [
      {
        file: "book_events/changes-#.parquet",
        select: {
          ...BOOK,
          kind: "'change'",
          bids: `if(side = 0, ${levels("[price_e4]", "[size_micro]")}, [])`,
          asks: `if(side = 1, ${levels("[price_e4]", "[size_micro]")}, [])`,
          best_bid: `if(best_bid_e4 = 0, NULL, ${e4("best_bid_e4")})`,
          best_ask: `if(best_ask_e4 = 10000, NULL, ${e4("best_ask_e4")})`,
        },
      },
    ],
  },
  /**
   * Hourly; both sides ascending, best bid last, best ask first. Includes all changes of its token with a lower seq.
   */
  book_snapshots: {
    structure:
      "seq Int64, time_ms Int64, token_id FixedString(32), bid_prices_e4 Array(UInt32), bid_sizes_micro Array(Int64), ask_prices_e4 Array(UInt32), ask_sizes_micro Array(Int64)",
    decoded: "*",
    files: [
      {
        file: "book_events/snapshots-#.parquet",
        select: {
          ...BOOK,
          kind: "'snapshot'",
          bids: levels("bid_prices_e4", "bid_sizes_micro"),
          asks: levels("arrayReverse(ask_prices_e4)", "arrayReverse(ask_sizes_micro)"),
          best_bid: `if(empty(bid_prices_e4), NULL, ${e4("arrayMax(bid_prices_e4)")})`,
          best_ask: `if(empty(ask_prices_e4), NULL, ${e4("arrayMin(ask_prices_e4)")})`,
        },
      },
    ],
  },
  kalshi_trades: {
    structure:
      "created_time_ms Int64, trade_id String, ticker String, yes_price_e4 UInt32, count_cc Int64, taker_side UInt8, is_block_trade UInt8",
    decoded: "*",
    files: [
      {
        file: "kalshi_trades/part-#.parquet",
        select: {
          created_time: timestamp("created_time_ms", 6),
          trade_id: "trade_id",
          ticker: "ticker",
          count: hundredth("count_cc"),
          yes_price: e4("yes_price_e4"),
          no_price: e4("10000 - yes_price_e4"),
          taker_side: "['yes', 'no'][taker_side + 1]",
          is_block_trade: "is_block_trade = 1",
        },
      },
    ],
  },
} as const satisfies Record<string, OutputTable>;

export type OutputTableName = keyof typeof OUTPUT_TABLES;
