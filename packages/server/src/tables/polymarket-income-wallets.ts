import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** Wallets whose income was read. Without a row, or without `checked_at`, a wallet's income is unknown, not 0. */
export const polymarketIncomeWallets = defineTable({
  name: "polymarket_income_wallets",
  about: "Wallets whose income was asked for.",
  columns: {
    wallet: stored.wallet("Wallet."),
    asked_at: stored.seconds("When it was asked for last."),
    checked_at: stored.maybeSeconds("When it was last read whole: up to then it is known; null where it never was."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["wallet"],
  granularity: { own: 1024 },
  key: ["wallet"],
  shardBy: "cityHash64(wallet)",
});
