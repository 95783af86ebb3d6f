import { z } from "zod";
import type { Feed, Batch } from "../../../definition/connector.ts";
import { kalshiCall } from "./walk-pages.ts";
import { moment } from "./kinds.ts";
import { secondsOf, momentOf } from "./to-values.ts";

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

/**
 * What a walk of the live tier misses after a long stop: the venue moved it to the historical tier meanwhile, and gives
 * empty lists for it. A backfill reads both tiers.
 */
export function goneFromLive(from: number, cutoff: number): NonNullable<Batch["gap"]> {
  return {
    from: momentOf(from),
    to: momentOf(cutoff + BOTH_TIERS_SECONDS),
    reason: "Kalshi's live tier does not reach back to where the walk stopped",
  };
}
