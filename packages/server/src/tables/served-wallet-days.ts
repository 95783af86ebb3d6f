import type { ServedColumn, ServedTable } from "../definition/served.ts";

const count: ServedColumn = { kind: "count" };
const money: ServedColumn = { kind: "money" };
const signed: ServedColumn = { kind: "money", signed: true };

/** The part of wallet_days in the serving index, by wallet: inputs of 569, 586 and 1003, tombstones included. */
export const servedWalletDays: ServedTable = {
  name: "wallet_days",
  columns: {
    wallet: { kind: "wallet" },
    day: { kind: "seconds", of: "day" },
    first_at: { kind: "seconds", of: "maybe" },
    last_at: { kind: "seconds", of: "maybe" },
    buys: count,
    sells: count,
    other_events: count,
    wins: count,
    losses: count,
    bought_usd: money,
    fee_usd: money,
    realized_usd: signed,
    realized_fifo_usd: signed,
    cash_usd: signed,
    unmatched_usd: money,
    realized_total_usd: signed,
    fee_total_usd: money,
    open_cost_usd: money,
    open_value_usd: money,
    is_gone: { kind: "flag" },
    version: { kind: "count", near: true },
  },
  sort: ["day"],
  keys: ["wallet"],
  storedAt: "version",
  isVersioned: true,
  rowBytes: 80,
};
