import { z } from "zod";
import { defineSocket } from "../../definition/connector.ts";
import type { Session } from "../../definition/session.ts";
import { parseBounded } from "../../definition/upstream-bounds.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { tokenRows } from "./data/to-data-fills.ts";
import type { DataTrade } from "./data/trades-v2-wire.ts";
import { amountWire, conditionWire, hexWire, maybeWire, outcomeWire, secondWire, tokenWire } from "./exact/wires.ts";
import { rtdsHost } from "./hosts.ts";

const UNKNOWN_OUTCOME = 999;

/** A trade in camelCase: the payload of RTDS's `activity`. */
export const activityTradeWire = z
  .object({
    proxyWallet: hexWire(20),
    side: z.enum(["BUY", "SELL"]),
    asset: tokenWire,
    conditionId: conditionWire,
    size: amountWire,
    price: amountWire,
    timestamp: secondWire,
    slug: maybeWire(z.string()),
    outcome: maybeWire(z.string()),
    outcomeIndex: maybeWire(z.union([z.literal(UNKNOWN_OUTCOME), outcomeWire])),
    transactionHash: hexWire(32),
  })
  .transform((row): DataTrade => ({
    wallet: row.proxyWallet,
    side: row.side,
    token_id: row.asset,
    condition_id: row.conditionId,
    size: row.size,
    price: row.price,
    seconds: row.timestamp,
    slug: row.slug ?? "",
    outcome: row.outcome ?? "",
    outcome_index: row.outcomeIndex === UNKNOWN_OUTCOME ? undefined : row.outcomeIndex,
    tx_hash: row.transactionHash,
  }));

/**
 * A message of RTDS's topic `activity` (reference/polymarket.md §7). `trades` has a message for each leg of a match,
 * `orders_matched` one for its taker. Wallet addresses are in mixed case on the wire.
 */
const activityWire = z.object({
  topic: z.literal("activity"),
  type: z.enum(["trades", "orders_matched"]),
  payload: activityTradeWire,
});

/**
 * RTDS's `activity`: signals transactions to read, and names the markets of the traded tokens. Its fill data is not
 * stored.
 */
export function activitySession(): Session {
  return {
    subscribe: () => [JSON.stringify({ action: "subscribe", subscriptions: [{ topic: "activity", type: "*" }] })],
    unsubscribe: () => [],
    decode: (frame) => {
      // The greeting and the answers to PING are empty.
      if (frame === "") return { rows: [] };
      const { payload } = activityWire.parse(parseBounded(frame));
      return {
        rows: [{ table: polymarketTokens, rows: tokenRows([payload]), mode: "if_absent" }],
        announced: [payload.tx_hash],
      };
    },
    adopt: () => ({ rows: [] }),
  };
}

/**
 * Signals Polymarket's fills about two seconds after their match, before their block is readable. It replays nothing
 * and omits some: it only wakes the readers of the chain and of the Data API, which are complete without it.
 */
export const polymarketTradesRtdsStream = defineSocket({
  name: "polymarket-trades-rtds",
  title: "Live notices of Polymarket's fills, from RTDS",
  venue: "polymarket",
  host: rtdsHost,
  path: "/",
  tables: [],
  addsTo: [polymarketTokens],
  isEarly: true,
  instruments: ["activity"],
  maxInstrumentsPerSocket: 1,
  // Without PING the server falls silent after some six minutes and does not close.
  heartbeat: { send: "PING", everySeconds: 5 },
  silentAfterSeconds: 15,
  isData: (frame) => frame !== "",
  session: activitySession,
});
