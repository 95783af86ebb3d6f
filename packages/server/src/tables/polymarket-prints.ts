import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** Trades from the market websocket (last_trade_price): early, to the millisecond, without wallets. */
export const polymarketPrints = defineTable({
  name: "polymarket_prints",
  about: "Trades as published by the market websocket.",
  columns: {
    token_id: stored.token("Outcome token."),
    ts: stored.millis("Match time."),
    seq: stored.count("Position among the prints of this token in this millisecond that are alike, from 0."),
    condition_id: stored.condition("Condition."),
    side: stored.choice(["BUY", "SELL"], "Side of the taker."),
    price: stored.money("Price, 0 to 1."),
    shares: stored.money("Shares."),
    tx_hash: stored.text("Transaction as 0x-hex; empty if the frame has none."),
    ingested_at: stored.ingested(),
  },
  engine: "MergeTree",
  orderBy: ["token_id", "ts", "price", "shares", "side", "tx_hash", "seq"],
  granularity: { own: 1024 },
  key: ["token_id", "ts", "price", "shares", "side", "tx_hash", "seq"],
  keyRange: "ts",
  shardBy: "cityHash64(token_id)",
});
