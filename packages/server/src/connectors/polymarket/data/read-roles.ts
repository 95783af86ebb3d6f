import type { DataTrade } from "./trades-v2-wire.ts";

type Role = "maker" | "taker" | "unknown";

/**
 * The roles of whole transactions' fills. Every transaction has a taker's fill: one without was read in part, of either
 * feed, and is among `lacking`; its roles are unknown.
 */
export function readRoles(trades: readonly DataTrade[], roleOf: (trade: DataTrade) => Role) {
  const sorted = trades.toSorted((a, b) => (a.price === b.price ? 0 : a.price < b.price ? -1 : 1));
  const roles = new Map(sorted.map((trade): [DataTrade, Role] => [trade, roleOf(trade)]));
  const whole = new Set([...roles].filter(([, role]) => role !== "maker").map(([{ tx_hash }]) => tx_hash));
  const lacking = new Set(trades.map(({ tx_hash }) => tx_hash).filter((txHash) => !whole.has(txHash)));
  return {
    lacking,
    roleOf: (trade: DataTrade): Role => (lacking.has(trade.tx_hash) ? "unknown" : (roles.get(trade) ?? "unknown")),
  };
}
