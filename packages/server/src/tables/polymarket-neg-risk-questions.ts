import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** One row per question of a neg-risk market: the meaning of the bits in a conversion's index set. */
export const polymarketNegRiskQuestions = defineTable({
  name: "polymarket_neg_risk_questions",
  about: "The questions of neg-risk markets, as the NegRiskAdapter prepared them.",
  columns: {
    ts: stored.seconds("Block time."),
    tx_hash: stored.hash("Transaction."),
    log_index: stored.count("Log index in the block."),
    market_id: stored.condition("Neg-risk market."),
    question_index: stored.small("Bit of the question in an index set."),
    question_id: stored.condition("Question: the market's id with the index as its last byte."),
    condition_id: stored.condition("Condition of the question."),
    block_number: stored.count("Block."),
    ingested_at: stored.ingested(),
  },
  engine: "MergeTree",
  orderBy: ["ts", "tx_hash", "log_index"],
  granularity: { own: 2048, copies: 1024 },
  key: ["ts", "tx_hash", "log_index"],
  keyRange: "ts",
  copies: { polymarket_neg_risk_questions_by_market: ["market_id", "question_index", "ts", "tx_hash", "log_index"] },
  shardBy: "cityHash64(tx_hash)",
});
