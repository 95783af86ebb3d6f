import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * One row per event that creates, removes or converts tokens outside the book, with its effect on the wallet's tokens
 * and money. Identity: transaction and log. Rows that are part of a fill or of another row are marked `is_inner`: sums
 * over wallets must skip them.
 */
export const polymarketPositionChanges = defineTable({
  name: "polymarket_position_changes",
  about: "Splits, merges, conversions and redemptions on Polymarket's contracts.",
  columns: {
    ts: stored.seconds("Block time."),
    tx_hash: stored.hash("Transaction."),
    log_index: stored.count("Log index in the block."),
    kind: stored.choice(["split", "merge", "conversion", "redemption"], "Operation."),
    wallet: stored.wallet(
      "Whose tokens and money changed: the stakeholder, or the wallet that a collateral adapter did it for.",
    ),
    stakeholder: stored.wallet("Stakeholder or redeemer named by the event."),
    is_inner: stored.flag("Part of a fill or of another operation, executed by an exchange or an adapter for itself."),
    contract: stored.choice(["conditional_tokens", "neg_risk_adapter"], "Contract that reported it."),
    condition_id: stored.condition("Condition; zero for a conversion."),
    market_id: stored.condition("Neg-risk market of a conversion; zero for others."),
    index_set: stored.token("Bit i: NO of question i of the neg-risk market was converted; 0 for other kinds."),
    amount: stored.money("Complete sets, NO shares given of each question, or all shares burnt by a redemption."),
    usd_delta: stored.money("Cash flow to the wallet in USD; negative if it paid."),
    token_ids: stored.integers(
      "Tokens of which the wallet's balance changed; empty for a conversion whose transfers do not tell.",
    ),
    token_deltas: stored.monies("Shares by which each of them changed; negative when given or burnt."),
    block_number: stored.count("Block."),
    ingested_at: stored.ingested(),
  },
  engine: "MergeTree",
  orderBy: ["ts", "tx_hash", "log_index"],
  partitionBy: "toYYYYMM(ts)",
  granularity: { own: 2048, copies: 1024 },
  key: ["ts", "tx_hash", "log_index"],
  keyRange: "ts",
  copies: {
    polymarket_position_changes_by_wallet: ["wallet", "ts", "tx_hash", "log_index"],
    polymarket_position_changes_by_condition: ["condition_id", "ts", "tx_hash", "log_index"],
  },
  shardBy: "cityHash64(tx_hash)",
});
