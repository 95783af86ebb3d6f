import type { ServedTable } from "../definition/served.ts";

/** The part of wallet_entries in the serving index, by wallet: its cost of tokens whose markets are resolved. */
export const servedWalletEntries: ServedTable = {
  name: "wallet_entries",
  columns: {
    wallet: { kind: "wallet" },
    day: { kind: "seconds", of: "day" },
    token_id: { kind: "integer" },
    /** A 64-bit number, too large for a count. */
    event_key: { kind: "text" },
    payout: { kind: "money" },
    shares: { kind: "money" },
    bought_usd: { kind: "money" },
    clv_entries: { kind: "count" },
    clv_sum: { kind: "money", signed: true },
    is_gone: { kind: "flag" },
    version: { kind: "count", near: true },
  },
  sort: ["day", "token_id"],
  keys: ["wallet"],
  storedAt: "version",
  isVersioned: true,
  rowBytes: 110,
};
