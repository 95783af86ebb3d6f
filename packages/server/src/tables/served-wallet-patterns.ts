import type { ServedTable } from "../definition/served.ts";

/** The part of wallet_patterns in the serving index, by wallet. Floats are the engine's shortest, exact texts. */
export const servedWalletPatterns: ServedTable = {
  name: "wallet_patterns",
  columns: {
    wallet: { kind: "wallet" },
    day: { kind: "seconds", of: "day" },
    pattern: { kind: "choice", values: ["both_sides", "farmer", "sybil", "wash"] },
    score: { kind: "text" },
    share: { kind: "text" },
    cluster_size: { kind: "count" },
    is_gone: { kind: "flag" },
    version: { kind: "count", near: true },
  },
  sort: ["day", "pattern"],
  keys: ["wallet"],
  storedAt: "version",
  isVersioned: true,
  rowBytes: 100,
};
