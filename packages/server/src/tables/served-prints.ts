import type { ServedTable } from "../definition/served.ts";

/** The part of polymarket_prints in the serving index: all of it, by token. */
export const servedPrints: ServedTable = {
  name: "polymarket_prints",
  columns: {
    token_id: { kind: "integer" },
    ts: { kind: "millis" },
    price: { kind: "money" },
    shares: { kind: "money" },
    side: { kind: "choice", values: ["BUY", "SELL"] },
    tx_hash: { kind: "text" },
    seq: { kind: "count" },
    condition_id: { kind: "hash" },
    ingested_at: { kind: "micros" },
  },
  sort: ["ts", "token_id", "price", "shares", "side", "tx_hash", "seq"],
  keys: ["token_id"],
  storedAt: "ingested_at",
  rowBytes: 180,
};
