import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** One row per wallet and UTC day with a fill: how it traded, as evidence of patterns, without profit. */
export const walletTradeDays = defineTable({
  name: "wallet_trade_days",
  about: "A wallet's trading on a day.",
  columns: {
    day: stored.day("UTC day."),
    wallet: stored.wallet("Wallet."),
    fills: stored.count("Fills."),
    usd: stored.money("Their notional."),
    maker_fills: stored.count("Fills as maker."),
    maker_usd: stored.money("Their notional."),
    entries: stored.count("Taker's fills: decisions to trade now."),
    bought_shares: stored.money("Shares bought."),
    bought_usd: stored.money("Their notional."),
    sure_usd: stored.money("Part of bought_usd at 0.95 or more."),
    markets: stored.count("Markets with a fill."),
    quoted_markets: stored.count("Of these, hours with two maker's fills or more."),
    two_sided_markets: stored.count(
      "Of quoted_markets, where it came to be longer and shorter of outcome 0: the smaller side at least a quarter of the larger.",
    ),
    set_events: stored.count("Splits and merges of complete sets."),
    is_gone: stored.flag("The row was retracted."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["day", "wallet"],
  granularity: { own: 1024 },
  key: ["day", "wallet"],
  shardBy: "cityHash64(wallet)",
});
