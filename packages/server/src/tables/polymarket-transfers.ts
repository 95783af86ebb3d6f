import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * One row per token of each transfer between wallets. Transfers from, to or by the exchanges, the adapters, the burn
 * address and the zero address are excluded: they are part of fills and position changes and would count twice.
 */
export const polymarketTransfers = defineTable({
  name: "polymarket_transfers",
  about: "Outcome tokens sent from wallet to wallet outside any trade.",
  columns: {
    ts: stored.seconds("Block time."),
    tx_hash: stored.hash("Transaction."),
    log_index: stored.count("Log index in the block."),
    place: stored.count("Position in its batch; 0 for a single transfer."),
    operator: stored.wallet("Sender on the owner's behalf; usually the owner."),
    from_wallet: stored.wallet("Sender."),
    to_wallet: stored.wallet("Receiver."),
    token_id: stored.token("Token."),
    shares: stored.money("Shares."),
    block_number: stored.count("Block."),
    ingested_at: stored.ingested(),
  },
  engine: "MergeTree",
  orderBy: ["ts", "tx_hash", "log_index", "place"],
  partitionBy: "toYYYYMM(ts)",
  granularity: { own: 2048, copies: 1024 },
  key: ["ts", "tx_hash", "log_index", "place"],
  keyRange: "ts",
  copies: {
    polymarket_transfers_by_sender: ["from_wallet", "ts", "tx_hash", "log_index", "place"],
    polymarket_transfers_by_receiver: ["to_wallet", "ts", "tx_hash", "log_index", "place"],
    polymarket_transfers_by_token: ["token_id", "ts", "tx_hash", "log_index", "place"],
  },
  shardBy: "cityHash64(tx_hash)",
});
