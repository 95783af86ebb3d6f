import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * One row per wallet, outcome token and UTC day with an event of it: the day's changes, and the holding at its end. It
 * answers who held a token on any day, and which wallets a price or a result affects. Derived from the ledger.
 */
export const walletTokenDays = defineTable({
  name: "wallet_token_days",
  about: "A wallet's changes in a token on a day, and its holding at the day's end.",
  columns: {
    wallet: stored.wallet("Wallet."),
    day: stored.day("UTC day."),
    token_id: stored.token("Outcome token."),
    condition_id: stored.condition("Condition; zero while the token's market is unknown."),
    first_at: stored.seconds("First event of the day."),
    last_at: stored.seconds("Last event of the day."),
    buys: stored.count("Fills bought."),
    sells: stored.count("Fills sold."),
    shares_bought: stored.money("Shares bought by fills."),
    bought_usd: stored.money("Notional bought by fills, fees apart."),
    fee_usd: stored.money("Fees of the fills."),
    realized_usd: stored.money("Realised profit by average cost, before fees."),
    shares: stored.money("Shares held at the end of the day."),
    cost_usd: stored.money("Their cost by average cost."),
    payout: stored.maybeMoney("Payout of a share once the condition was resolved on that day or before."),
    is_gone: stored.flag("The row was retracted."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["wallet", "day", "token_id"],
  granularity: { own: 1024, copies: 1024 },
  key: ["wallet", "day", "token_id"],
  copies: { wallet_token_days_by_token: ["token_id", "wallet", "day"] },
  // Columns for holders of a token and their profit.
  copiedColumns: {
    wallet_token_days_by_token: ["condition_id", "last_at", "fee_usd", "realized_usd", "shares", "cost_usd", "payout"],
  },
  // The unnamed index serves a check every few seconds for tokens with an unknown market; the days index serves folds,
  // which query the newest days of some wallets, in few granules.
  indexes: ["INDEX unnamed condition_id TYPE minmax GRANULARITY 1", "INDEX days day TYPE minmax GRANULARITY 1"],
  hashesValues: true,
  shardBy: "cityHash64(wallet)",
});
