import type { Decoded, Session } from "../../../definition/connector.ts";
import { polymarketEarlyFills } from "../../../tables/polymarket-early-fills.ts";
import { polymarketTokens } from "../../../tables/polymarket-tokens.ts";
import type { DataTrade } from "../data/data-trade.ts";
import { fillKey } from "../data/fill-key.ts";
import { tokenRows } from "../data/token-rows.ts";
import { activityWire } from "./activity-wire.ts";
import { toEarlyFill } from "./to-early-fill.ts";

/** What was heard first of a transaction: its second, and the key of its taker's fill once told. */
type Heard = { readonly seconds: number; taker?: string };

/** Transactions remembered, about ten minutes of all there is. */
const MOST_HEARD = 20_000;

/**
 * RTDS's `activity`. Both messages of a taker's fill become one row: they are given the second that was heard first of
 * their transaction, and a repeated message is the same row again.
 */
export function activitySession(): Session {
  const heard = new Map<string, Heard>();
  const hearOf = ({ tx_hash, seconds }: DataTrade): Heard => {
    const before = heard.get(tx_hash);
    if (before !== undefined) return before;
    const [oldest] = heard.keys();
    if (heard.size >= MOST_HEARD && oldest !== undefined) heard.delete(oldest);
    const now = { seconds };
    heard.set(tx_hash, now);
    return now;
  };
  return {
    subscribe: () => [JSON.stringify({ action: "subscribe", subscriptions: [{ topic: "activity", type: "*" }] })],
    unsubscribe: () => [],
    decode: (frame) => {
      // The greeting and the answers to PING are empty.
      if (frame === "") return { rows: [] };
      const { type, payload } = activityWire.parse(JSON.parse(frame));
      const transaction = hearOf(payload);
      if (type === "orders_matched") transaction.taker = fillKey(payload);
      const trade = { ...payload, seconds: transaction.seconds };
      return toRows(trade, roleOf(payload, transaction));
    },
    adopt: () => ({ rows: [] }),
  };
}

function roleOf(trade: DataTrade, { taker }: Heard): "maker" | "taker" | "unknown" {
  if (taker === undefined) return "unknown";
  return taker === fillKey(trade) ? "taker" : "maker";
}

function toRows(trade: DataTrade, role: "maker" | "taker" | "unknown"): Decoded {
  return {
    rows: [
      { table: polymarketEarlyFills, rows: [toEarlyFill(trade, role)] },
      { table: polymarketTokens, rows: tokenRows([trade]), mode: "if_absent" },
    ],
  };
}
