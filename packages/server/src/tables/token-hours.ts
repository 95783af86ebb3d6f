import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** One row per outcome token and hour with a fill of it: the parts from which a market's moving windows are summed. */
export const tokenHours = defineTable({
  name: "token_hours",
  about: "Hours of a token: volume, trades, last price and who traded.",
  columns: {
    token_id: stored.token("Outcome token."),
    hour: stored.seconds("Start of the hour."),
    volume_usd: stored.money("Notional of takers' fills: each match once for the market."),
    trade_count: stored.count("Takers' fills."),
    close: stored.maybeMoney("Last price; null if the hour has none."),
    wallets: stored.bigs("Hashes of the wallets that traded, makers too, ascending."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  storedAsMade: true,
  orderBy: ["token_id", "hour"],
  granularity: { own: 512 },
  key: ["token_id", "hour"],
  keyRange: "hour",
  shardBy: "cityHash64(token_id)",
});
