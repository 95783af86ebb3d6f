import type { ServedTable } from "../definition/served.ts";

/** What the serving index keeps of wallet_entries, by wallet: what it paid for tokens whose markets are resolved. */
export const servedWalletEntries: ServedTable = {
  name: "wallet_entries",
  columns: {
    wallet: { kind: "wallet" },
    day: { kind: "seconds", of: "day" },
    token_id: { kind: "integer" },
    /** A number of 64 bits, which is more than a count holds. */
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
