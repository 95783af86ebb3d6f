import type { ServedTable } from "../definition/served.ts";

/** The part of polymarket_resolutions in the serving index: all of it. */
export const servedResolutions: ServedTable = {
  name: "polymarket_resolutions",
  columns: {
    ts: { kind: "seconds" },
    tx_hash: { kind: "hash" },
    log_index: { kind: "count" },
    condition_id: { kind: "hash" },
    oracle: { kind: "wallet" },
    question_id: { kind: "hash" },
    payout_numerators: { kind: "list" },
    payouts: { kind: "list" },
    block_number: { kind: "count", near: true },
    ingested_at: { kind: "micros" },
  },
  sort: ["ts", "tx_hash", "log_index"],
  byTime: true,
  keys: ["condition_id"],
  storedAt: "ingested_at",
  rowBytes: 450,
};
