import type { ServedTable } from "../definition/served.ts";

/** The part of kalshi_trades in the serving index: all of it. */
export const servedKalshiTrades: ServedTable = {
  name: "kalshi_trades",
  columns: {
    created_time: { kind: "micros" },
    trade_id: { kind: "text" },
    ticker: { kind: "text" },
    count: { kind: "money" },
    yes_price: { kind: "money" },
    no_price: { kind: "money" },
    taker_side: { kind: "choice", values: ["yes", "no"] },
    is_block_trade: { kind: "flag" },
    ingested_at: { kind: "micros" },
  },
  sort: ["created_time", "trade_id"],
  byTime: true,
  keys: ["ticker"],
  storedAt: "ingested_at",
  rowBytes: 250,
};
