import type { ServedColumn, ServedTable } from "../definition/served.ts";

const maybeMoney: ServedColumn = { kind: "money", nullable: true };

/** The part of polymarket_markets in the serving index, by condition: result, prices and category. */
export const servedMarkets: ServedTable = {
  name: "polymarket_markets",
  columns: {
    condition_id: { kind: "hash" },
    always: { kind: "seconds", of: "none" },
    closed: { kind: "flag" },
    closed_date: { kind: "seconds", of: "maybe" },
    payout_a: maybeMoney,
    resolution_status: { kind: "text" },
    side_a_price: maybeMoney,
    side_b_price: maybeMoney,
    category: { kind: "text" },
    version: { kind: "count", near: true },
  },
  sort: ["always"],
  keys: ["condition_id"],
  storedAt: "version",
  isVersioned: true,
  rowBytes: 150,
};
