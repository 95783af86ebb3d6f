import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * Two wallets that met on a day more often than by chance: matched with each other (`match`, only where that is a tenth
 * of both wallets' volume that day), or entering the same side seconds apart with about the same size (`echo`).
 */
export const walletPairDays = defineTable({
  name: "wallet_pair_days",
  about: "Pairs of wallets that traded with each other, or entered alike, on a day.",
  columns: {
    day: stored.day("UTC day."),
    kind: stored.choice(["match", "echo"], "Matched with each other, or entered alike."),
    wallet_a: stored.wallet("The smaller of the two."),
    wallet_b: stored.wallet("The larger of the two; the same as wallet_a if a wallet traded with itself."),
    condition_id: stored.condition("Market; zero while the token's market is unknown."),
    n: stored.count("Matches, or entries alike."),
    up: stored.count("Of the matches, those in which wallet_a came to be longer of outcome 0; of echoes, those up."),
    usd: stored.money("Notional paid or received by the taker of each match, or that of the smaller of two entries."),
    expected: stored.real("Number of echoes expected by chance; 0 for matches."),
    is_gone: stored.flag("The row was retracted."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["day", "kind", "wallet_a", "wallet_b", "condition_id"],
  granularity: { own: 1024 },
  key: ["day", "kind", "wallet_a", "wallet_b", "condition_id"],
  shardBy: "cityHash64(wallet_a)",
});
