import type { ServedTable } from "../definition/served.ts";

/** The part of polymarket_transfers in the serving index: all of it. */
export const servedTransfers: ServedTable = {
  name: "polymarket_transfers",
  columns: {
    ts: { kind: "seconds" },
    tx_hash: { kind: "hash" },
    log_index: { kind: "count" },
    place: { kind: "count" },
    operator: { kind: "wallet" },
    from_wallet: { kind: "wallet" },
    to_wallet: { kind: "wallet" },
    token_id: { kind: "token" },
    shares: { kind: "money" },
    block_number: { kind: "count", near: true },
    ingested_at: { kind: "micros" },
  },
  sort: ["ts", "tx_hash", "log_index", "place"],
  byTime: true,
  keys: ["from_wallet", "to_wallet", "token_id"],
  storedAt: "ingested_at",
  rowBytes: 700,
};
