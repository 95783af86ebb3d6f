import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * One row per wallet and outcome token that it bought in a market resolved on that day. Buys of a token within one hour
 * are one entry, at their mean price; the sums are over entries above 0.05 and below 0.95.
 */
export const walletEntries = defineTable({
  name: "wallet_entries",
  about: "Entries of wallets in tokens whose market was resolved on a day, with the payout and the closing price.",
  columns: {
    wallet: stored.wallet("Wallet."),
    day: stored.day("UTC day of the resolution."),
    token_id: stored.token("Outcome token."),
    condition_id: stored.condition("Condition."),
    event_key: stored.big("Hash of the event's slug, or of the condition if there is none."),
    category: stored.label("Category path."),
    payout: stored.money("Payout of a share."),
    shares: stored.money("Shares bought by fills, at any price."),
    bought_usd: stored.money("Notional bought, fees apart."),
    entries: stored.count("Entries above 0.05 and below 0.95."),
    edge_sum: stored.money("Sum of payout less price, a share of each entry."),
    cost_sum: stored.money("Sum of the fee of a share and one tick."),
    variance_sum: stored.money("Sum of price times (1 less price)."),
    clv_entries: stored.count("Entries before the market's closing window ended, if it has a closing price."),
    clv_sum: stored.money("Sum of the closing price less the price, over these."),
    later_entries: stored.count("Entries in markets that traded in the 24 hours after the entry's hour."),
    later_sum: stored.money(
      "Sum of the volume-weighted price of these 24 hours less the price, each cut at 0.10 to both sides.",
    ),
    later_edge_sum: stored.money("Sum of payout less price, over these."),
    later_cost_sum: stored.money("Sum of costs, over these."),
    later_variance_sum: stored.money("Sum of price times (1 less price), over these."),
    is_gone: stored.flag("The row was retracted."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["day", "wallet", "token_id"],
  granularity: { own: 2048, copies: 1024 },
  key: ["day", "wallet", "token_id"],
  copies: { wallet_entries_by_wallet: ["wallet", "day", "token_id"] },
  // Columns from which score bounds are drawn, and those served for a wallet.
  copiedColumns: {
    wallet_entries_by_wallet: [
      "event_key",
      "category",
      "payout",
      "shares",
      "bought_usd",
      "entries",
      "edge_sum",
      "cost_sum",
      "variance_sum",
      "clv_entries",
      "clv_sum",
      "later_entries",
      "later_sum",
      "later_edge_sum",
      "later_cost_sum",
      "later_variance_sum",
    ],
  },
  shardBy: "cityHash64(wallet)",
});
