import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** Wallets whose income was read. Without a row, or without `checked_at`, a wallet's income is unknown, not 0. */
export const polymarketIncomeWallets = defineTable({
  name: "polymarket_income_wallets",
  about: "Wallets whose income was requested.",
  columns: {
    wallet: stored.wallet("Wallet."),
    asked_at: stored.seconds("Time of the last request."),
    checked_at: stored.maybeSeconds("Time of the last complete read, up to which it is known; null if there was none."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["wallet"],
  granularity: { own: 1024 },
  key: ["wallet"],
  shardBy: "cityHash64(wallet)",
});
