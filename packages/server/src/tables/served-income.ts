import type { ServedTable } from "../definition/served.ts";

/** The part of polymarket_income in the serving index: all of it, by wallet. */
export const servedIncome: ServedTable = {
  name: "polymarket_income",
  columns: {
    wallet: { kind: "wallet" },
    ts: { kind: "seconds" },
    tx_hash: { kind: "hash" },
    kind: { kind: "choice", values: ["maker_rebate", "referral_reward", "reward", "taker_rebate", "yield"] },
    amount_usd: { kind: "money" },
    place: { kind: "count" },
    ingested_at: { kind: "micros" },
  },
  sort: ["ts", "tx_hash", "kind", "amount_usd", "place"],
  keys: ["wallet"],
  storedAt: "ingested_at",
  rowBytes: 100,
};

/** The part of polymarket_income_wallets in the serving index, by wallet: the time up to which its income is known. */
export const servedIncomeWallets: ServedTable = {
  name: "polymarket_income_wallets",
  columns: {
    wallet: { kind: "wallet" },
    always: { kind: "seconds", of: "none" },
    checked_at: { kind: "seconds", of: "maybe" },
    version: { kind: "count", near: true },
  },
  sort: ["always"],
  keys: ["wallet"],
  storedAt: "version",
  isVersioned: true,
  rowBytes: 80,
};
