import type { ServedTable } from "../definition/served.ts";

/** The part of polymarket_position_changes in the serving index: all of it. */
export const servedPositionChanges: ServedTable = {
  name: "polymarket_position_changes",
  columns: {
    ts: { kind: "seconds" },
    tx_hash: { kind: "hash" },
    log_index: { kind: "count" },
    kind: { kind: "choice", values: ["split", "merge", "conversion", "redemption"] },
    wallet: { kind: "wallet" },
    stakeholder: { kind: "wallet" },
    is_inner: { kind: "flag" },
    contract: { kind: "choice", values: ["conditional_tokens", "neg_risk_adapter"] },
    condition_id: { kind: "hash" },
    market_id: { kind: "hash" },
    index_set: { kind: "text" },
    amount: { kind: "money" },
    usd_delta: { kind: "money" },
    token_ids: { kind: "list", of: "tokens" },
    token_deltas: { kind: "list" },
    block_number: { kind: "count", near: true },
    ingested_at: { kind: "micros" },
  },
  sort: ["ts", "tx_hash", "log_index"],
  byTime: true,
  keys: ["wallet", "condition_id"],
  storedAt: "ingested_at",
  rowBytes: 650,
};
