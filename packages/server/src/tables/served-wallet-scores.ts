import type { ServedTable } from "../definition/served.ts";

/** The part of wallet_scores in the serving index, by wallet. A float is the engine's shortest, exact text. */
export const servedWalletScores: ServedTable = {
  name: "wallet_scores",
  columns: {
    wallet: { kind: "wallet" },
    day: { kind: "seconds", of: "day" },
    category: { kind: "text" },
    score: { kind: "text" },
    pool: { kind: "count" },
    is_gone: { kind: "flag" },
    version: { kind: "count", near: true },
  },
  sort: ["day", "category"],
  keys: ["wallet"],
  storedAt: "version",
  isVersioned: true,
  rowBytes: 100,
};
