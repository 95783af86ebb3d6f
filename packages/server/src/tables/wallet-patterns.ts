import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * One row per wallet and pattern on a UTC day on which it traded, computed from the 30 days up to it. As of a day, the
 * newest row of the 30 days up to it applies. A score of 0 is written only where an earlier row had a higher one.
 */
export const walletPatterns = defineTable({
  name: "wallet_patterns",
  about: "Patterns of trading that wallets show, with the evidence for them.",
  columns: {
    day: stored.day("Last of the 30 UTC days."),
    wallet: stored.wallet("Wallet."),
    pattern: stored.choice(["wash", "sybil", "farmer", "both_sides"], "Pattern."),
    score: stored.real("0–100."),
    cluster: stored.wallet("Smallest wallet of its cluster; zero if the pattern has none."),
    cluster_size: stored.count("Wallets of the cluster; 0 if the pattern has none."),
    n: stored.count("Observations it rests on."),
    share: stored.real("Share of the wallet's trading that shows the pattern, 0–1."),
    base_rate: stored.real("Share of all wallets of the 30 days with a score of 50 or more in this pattern."),
    parts: stored.text("Inputs of the score, as JSON."),
    is_gone: stored.flag("The row was retracted."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["day", "wallet", "pattern"],
  granularity: { own: 1024, copies: 1024 },
  key: ["day", "wallet", "pattern"],
  copies: { wallet_patterns_by_wallet: ["wallet", "day", "pattern"] },
  copiedColumns: { wallet_patterns_by_wallet: ["score", "cluster_size", "share"] },
  shardBy: "cityHash64(wallet)",
});
