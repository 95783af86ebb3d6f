import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** One row per outcome token and UTC day with a trade or quote of it: its last prices, at which holdings are marked. */
export const tokenDays = defineTable({
  name: "token_days",
  about: "Last prices of a token on a day.",
  columns: {
    token_id: stored.token("Outcome token."),
    day: stored.day("UTC day."),
    trade_close: stored.maybeMoney("Price of the day's last trade; null without one."),
    mid_close: stored.maybeMoney("Middle of the day's last best bid and ask; null while one of them was missing."),
    mark: stored.money("The middle if there is one, else the last trade's price."),
    volume_usd: stored.money("Notional of the day's trades, each match once."),
    trade_count: stored.count("Trades, each match once."),
    marked_version: stored.big(
      "The version from which on the mark is what it is, whatever else changed since; 0 where that is not known.",
    ),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["token_id", "day"],
  granularity: { own: 1024 },
  key: ["token_id", "day"],
  keyRange: "day",
  indexes: ["INDEX versions version TYPE minmax GRANULARITY 1"],
  shardBy: "cityHash64(token_id)",
});
