import type { Session } from "../../../definition/connector.ts";
import { polymarketTokens } from "../../../tables/polymarket-tokens.ts";
import { tokenRows } from "../data/token-rows.ts";
import { z } from "zod";
import { activityTradeWire } from "./activity-trade-wire.ts";

/**
 * A message of RTDS's topic `activity` (reference/polymarket.md §7). `trades` has a message for each leg of a match,
 * `orders_matched` one for its taker. The wallet's letters are mixed on the wire.
 */
const activityWire = z.object({
  topic: z.literal("activity"),
  type: z.enum(["trades", "orders_matched"]),
  payload: activityTradeWire,
});

/**
 * RTDS's `activity`: says which transactions there are to be read, and names the markets of the tokens that are traded.
 * Nothing that it says of a fill is stored.
 */
export function activitySession(): Session {
  return {
    subscribe: () => [JSON.stringify({ action: "subscribe", subscriptions: [{ topic: "activity", type: "*" }] })],
    unsubscribe: () => [],
    decode: (frame) => {
      // The greeting and the answers to PING are empty.
      if (frame === "") return { rows: [] };
      const { payload } = activityWire.parse(JSON.parse(frame));
      return {
        rows: [{ table: polymarketTokens, rows: tokenRows([payload]), mode: "if_absent" }],
        heard: [payload.tx_hash],
      };
    },
    adopt: () => ({ rows: [] }),
  };
}
