import { getAddress } from "viem";
import type { MatchHappening } from "../../world/contract.ts";
import type { World } from "../../world/world.ts";
import { camelTradeRow, tradeLegs, type TradeLeg } from "../data/leg-row.ts";

/** The types of the topic `activity`. */
export type ActivityType = "trades" | "orders_matched";

/** A message of the topic `activity`: the row of one leg, and when it is sent (world ms). */
export interface ActivityFrame {
  type: ActivityType;
  sent_ms: number;
  event_slug: string;
  market_slug: string;
  /** Without `connection_id`, which differs by client. */
  body: Record<string, unknown>;
}

/** After the match, in world ms: medians of reference polymarket.md §5.1. */
const sentAfter: Readonly<Record<ActivityType, number>> = { orders_matched: 1900, trades: 2100 };

/** All that RTDS tells of a match, in the order it is sent: the taker's order, then a row of every leg. */
export function activityFrames(world: World, match: MatchHappening): ActivityFrame[] {
  const matched = tradeLegs(match, true).map((leg) => toFrame(world, leg, "orders_matched"));
  const trades = tradeLegs(match, false).map((leg) => toFrame(world, leg, "trades"));
  return [...matched, ...trades];
}

function toFrame(world: World, leg: TradeLeg, type: ActivityType): ActivityFrame {
  const { match } = leg;
  const sent_ms = match.ms + sentAfter[type];
  const row = camelTradeRow(world, leg);
  const payload = { ...row, proxyWallet: getAddress(leg.leg.wallet), timestamp: leg.timestamp - secondsEarly(match) };
  return {
    type,
    sent_ms,
    event_slug: match.market.event.slug,
    market_slug: match.market.slug,
    body: { payload, timestamp: sent_ms, topic: "activity", type },
  };
}

/** How much earlier than its block a message says a trade was: usually one second, at times none or two. */
function secondsEarly({ tx_hash }: MatchHappening): number {
  const byte = Number.parseInt(tx_hash.slice(-2), 16);
  if (byte < 24) return 0;
  return byte < 34 ? 2 : 1;
}
