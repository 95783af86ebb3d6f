import type { ServedTable } from "../definition/served.ts";

/** What the serving index keeps of wallet_patterns, by wallet. Floats are the engine's shortest texts, which are exact. */
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
