import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * One row per filled order (maker legs and the taker leg of each match). Identity: transaction hash and order hash. The
 * Data API gives no order hash: it is derived (see definition/derived-order-hash), and rows of the same transaction
 * from the chain replace these provisional rows and keep their public id.
 */
export const polymarketFills = defineTable({
  name: "polymarket_fills",
  about: "Every filled order on Polymarket's exchanges.",
  columns: {
    ts: stored.seconds("Block time."),
    tx_hash: stored.hash("Transaction."),
    order_hash: stored.hash("Hash of the filled order; derived if the source does not report it."),
    wallet: stored.wallet("Owner of the order (proxy wallet)."),
    token_id: stored.token("Outcome token that changed hands for this order."),
    side: stored.choice(["BUY", "SELL"], "Side of this order."),
    role: stored.choice(["maker", "taker", "unknown"], "Whether this order rested or took."),
    match_kind: stored.choice(
      ["complementary", "mint", "merge", "unknown"],
      "How this leg was matched: against the same token, or by minting or merging complete sets. A taker leg that met several kinds is complementary.",
    ),
    shares: stored.money("Shares, including those that V1 deducted from a buy as its fee."),
    usd: stored.money("Notional in USD, fee apart."),
    fee_usd: stored.money(
      "Fee in USD, paid by the taker; of a V1 buy the worth, rounded down, of the shares that were taken as the fee.",
    ),
    block_number: stored.count("Block; 0 if the source does not report it."),
    log_index: stored.count("Log index in the block, or the position in the source's order."),
    source: stored.choice(["chain_v1", "chain_v2", "data_api_v1", "data_api_v2", "rtds"], "Source of the row."),
    alike_number: stored.count(
      "For a chain fill that the Data API reported first: its number, from 1, among the transaction's fills with the same wallet, token, side and shares. Its public id is derived from these; that of others (0) from the order hash.",
    ),
    ingested_at: stored.ingested(),
  },
  engine: "MergeTree",
  orderBy: ["ts", "tx_hash", "order_hash"],
  partitionBy: "toYYYYMM(ts)",
  granularity: { own: 2048, copies: 1024 },
  key: ["ts", "tx_hash", "order_hash"],
  keyRange: "ts",
  copies: {
    polymarket_fills_by_wallet: ["wallet", "ts", "tx_hash", "order_hash"],
    polymarket_fills_by_token: ["token_id", "ts", "tx_hash", "order_hash"],
  },
  provisional: {
    column: "source",
    values: ["data_api_v1", "data_api_v2"],
    group: ["tx_hash"],
    // A reorganisation moves a transaction to another block.
    withinSeconds: 600,
    kept: "alike_number",
  },
  shardBy: "cityHash64(tx_hash)",
});
