import { z } from "zod";
import { activityTradeWire } from "./activity-trade-wire.ts";

/**
 * A message of RTDS's topic `activity` (reference/polymarket.md §7). `trades` has a message for each leg of a match,
 * `orders_matched` one for its taker. The wallet's letters are mixed on the wire.
 */
export const activityWire = z.object({
  topic: z.literal("activity"),
  type: z.enum(["trades", "orders_matched"]),
  payload: activityTradeWire,
});
