import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * Positions (wallet × condition) that ended on a day: everything sold but less than a hundredth of a share of each
 * token, or the condition resolved while shares were held. One that is opened anew after it was sold is another one.
 */
export const walletConditionDays = defineTable({
  name: "wallet_condition_days",
  about: "Positions of a wallet that ended on a day, won or lost.",
  columns: {
    wallet: stored.wallet("Wallet."),
    day: stored.day("UTC day on which they ended."),
    condition_id: stored.condition("Condition."),
    opened_at: stored.seconds("First event of the first of them."),
    ended_at: stored.seconds("When the last of them ended."),
    wins: stored.count("Ended with a profit, fees taken off."),
    losses: stored.count("Ended with a loss."),
    evens: stored.count("Ended with neither."),
    resolved: stored.count("Of all, ended by the resolution."),
    pnl_usd: stored.money("Their profit by average cost, fees taken off, from opening to end."),
    gained_usd: {
      ...stored.money("Of that, what those won brought; the rest is what the others lost."),
      default: "greatest(pnl_usd, toDecimal64(0, 6))",
    },
    bought_usd: stored.money("Notional bought by fills while they were open."),
    is_gone: stored.flag("The row was taken back: it is no more."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["wallet", "day", "condition_id"],
  granularity: { own: 1024 },
  key: ["wallet", "day", "condition_id"],
  /** See wallet_token_days. */
  indexes: ["INDEX days day TYPE minmax GRANULARITY 1"],
  hashesValues: true,
  shardBy: "cityHash64(wallet)",
});
