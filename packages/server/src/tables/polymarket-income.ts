import { INCOME_KINDS } from "../definition/vocabulary.ts";
import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * One row per credit. Only for wallets whose income was read: `polymarket_income_wallets` lists them and up to when. A
 * transaction pays many wallets, and the Data API gives no log index: equal credits are distinguished by their number.
 */
export const polymarketIncome = defineTable({
  name: "polymarket_income",
  about: "Rewards, rebates and yield paid to wallets, as reported per wallet by the Data API.",
  columns: {
    wallet: stored.wallet("Recipient."),
    ts: stored.seconds("Block time."),
    kind: stored.choice(INCOME_KINDS, "What it was paid for."),
    tx_hash: stored.hash("Transaction."),
    amount_usd: stored.money("Amount."),
    place: stored.count("Number among credits of the wallet that are alike in all this, from 0."),
    ingested_at: stored.ingested(),
  },
  engine: "MergeTree",
  orderBy: ["wallet", "ts", "tx_hash", "kind", "amount_usd", "place"],
  granularity: { own: 1024 },
  key: ["wallet", "ts", "tx_hash", "kind", "amount_usd", "place"],
  shardBy: "cityHash64(wallet)",
});
