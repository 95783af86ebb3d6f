import { z } from "zod";
import type { Feed } from "../../../definition/connector.ts";
import { kalshiCall } from "./kalshi-call.ts";
import { secondsOf } from "./to-moment.ts";
import { moment } from "./kinds.ts";

/** Around the cutoff both tiers are asked: either may lack, or both may have, what lies so near. */
export const BOTH_TIERS_SECONDS = 3600;

/** The live tier reaches weeks back: who stopped for less than this need not ask where it begins. */
export const LIVE_SECONDS = 86_400;

const cutoffReply = z.looseObject({ market_settled_ts: moment, trades_created_ts: moment });

/** Where the historical tier begins, Unix seconds. It moves, each kind by its own window. */
export async function readCutoff(feed: Feed): Promise<{ readonly markets: number; readonly trades: number }> {
  const reply = await feed.get(kalshiCall("/historical/cutoff"), cutoffReply);
  if (reply === undefined) throw new Error("/historical/cutoff gave no answer");
  return { markets: secondsOf(reply.market_settled_ts), trades: secondsOf(reply.trades_created_ts) };
}
