import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** One row per wallet and UTC day on which it did something or held something, with everything held at its mark. */
export const walletDays = defineTable({
  name: "wallet_days",
  about: "A wallet's day: what it did, what it realised, and what it held at the day's last marks.",
  columns: {
    wallet: stored.wallet("Wallet."),
    day: stored.day("UTC day."),
    first_at: stored.maybeSeconds("First fill of the day; null without one."),
    last_at: stored.maybeSeconds("Last fill of the day; null without one."),
    buys: stored.count("Fills bought."),
    sells: stored.count("Fills sold."),
    maker_fills: stored.count("Of both, as maker."),
    other_events: stored.count("Splits, merges, conversions, redemptions, transfers and resolutions."),
    wins: stored.count("Positions (wallet × condition) that ended with a profit."),
    losses: stored.count("Positions that ended with a loss."),
    bought_usd: stored.money("Notional bought, fees apart."),
    sold_usd: stored.money("Notional sold, fees apart."),
    maker_usd: stored.money("Notional as maker."),
    bought_usd_squared: stored.real("Sum of the squared notionals of fills bought."),
    fee_usd: stored.money("Fees."),
    realized_usd: stored.money("Realised profit by average cost, before fees."),
    realized_fifo_usd: stored.money("Realised profit by first in, first out, before fees."),
    cash_usd: stored.money("Money to the wallet less money from it, fees taken off."),
    cash_total_usd: stored.money("The same from the first day on."),
    realized_total_usd: stored.money("Realised profit by average cost from the first day on, before fees."),
    fee_total_usd: stored.money("Fees from the first day on."),
    open_cost_usd: stored.money("Cost of what is held at the end of the day, by average cost."),
    open_value_usd: stored.money("The same at the day's last marks; what has no mark counts at its cost."),
    open_tokens: stored.count("Tokens held at the end of the day."),
    unmarked_tokens: stored.count("Of these, without a mark."),
    is_estimated: stored.flag(
      "Shares came from or went to other wallets, left without having been held, or were settled by the catalogue's word alone, on that day or before.",
    ),
    is_gone: stored.flag("The row was taken back: it is no more."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["day", "wallet"],
  granularity: { own: 1024, copies: 1024 },
  key: ["day", "wallet"],
  copies: { wallet_days_by_wallet: ["wallet", "day"] },
  /** To find what was restated since a moment (see wallet_windows). */
  indexes: ["INDEX versions version TYPE minmax GRANULARITY 1"],
  hashesValues: true,
  shardBy: "cityHash64(wallet)",
});
