import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** One row per condition whose payouts were reported on chain. UMA's earlier states are in `polymarket_markets`. */
export const polymarketResolutions = defineTable({
  name: "polymarket_resolutions",
  about: "Payouts of resolved conditions, as reported by ConditionalTokens.",
  columns: {
    ts: stored.seconds("Block time."),
    tx_hash: stored.hash("Transaction."),
    log_index: stored.count("Log index in the block."),
    condition_id: stored.condition("Condition."),
    oracle: stored.wallet("Reporter; the NegRiskAdapter for neg-risk markets."),
    question_id: stored.condition("The oracle's own id of the question."),
    payout_numerators: stored.integers("Payout of each outcome, exactly: its share of the sum of all."),
    payouts: stored.monies("Payout of a share of each outcome in USD, rounded down to six places."),
    block_number: stored.count("Block."),
    ingested_at: stored.ingested(),
  },
  engine: "MergeTree",
  orderBy: ["ts", "tx_hash", "log_index"],
  granularity: { own: 2048, copies: 1024 },
  key: ["ts", "tx_hash", "log_index"],
  keyRange: "ts",
  copies: { polymarket_resolutions_by_condition: ["condition_id", "ts", "tx_hash", "log_index"] },
  shardBy: "cityHash64(tx_hash)",
});
