import type { ServedTable } from "../definition/served.ts";

/** The part of polymarket_fills in the serving index: everything that dataset 556 returns and a snapshot needs. */
export const servedFills: ServedTable = {
  name: "polymarket_fills",
  columns: {
    ts: { kind: "seconds" },
    tx_hash: { kind: "hash" },
    log_index: { kind: "count" },
    order_hash: { kind: "hash" },
    wallet: { kind: "wallet" },
    token_id: { kind: "token" },
    side: { kind: "choice", values: ["BUY", "SELL"] },
    role: { kind: "choice", values: ["maker", "taker", "unknown"] },
    shares: { kind: "money" },
    usd: { kind: "money" },
    fee_usd: { kind: "money" },
    block_number: { kind: "count", near: true },
    source: { kind: "choice", values: ["chain_v1", "chain_v2", "data_api_v1", "data_api_v2", "rtds"] },
    alike_number: { kind: "count" },
    ingested_at: { kind: "micros" },
  },
  sort: ["ts", "tx_hash", "order_hash"],
  byTime: true,
  keys: ["wallet", "token_id"],
  storedAt: "ingested_at",
  rowBytes: 500,
};
