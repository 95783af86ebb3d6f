import type { Session } from "../../../definition/connector.ts";
import { polymarketTokens } from "../../../tables/polymarket-tokens.ts";
import { tokenRows } from "../data/token-rows.ts";
import { activityWire } from "./activity-wire.ts";

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
