import { z } from "zod";
import type { Feed, Batch } from "../../../definition/connector.ts";
import { kalshiCall } from "./walk-pages.ts";
import { timestamp, secondsOf, timestampOf } from "./values.ts";

/** Within this distance of the cutoff both tiers are read: either may lack a row, or both may have it. */
export const BOTH_TIERS_SECONDS = 3600;

/** The live tier reaches back weeks: after a shorter downtime than this the cutoff need not be read. */
export const LIVE_SECONDS = 86_400;

const cutoffReply = z.looseObject({ market_settled_ts: timestamp, trades_created_ts: timestamp });

/** The cutoff between the historical and the live tier, Unix seconds. It moves, each kind by its own window. */
export async function readCutoff(feed: Feed): Promise<{ readonly markets: number; readonly trades: number }> {
  const reply = await feed.get(kalshiCall("/historical/cutoff"), cutoffReply);
  if (reply === undefined) throw new Error("/historical/cutoff returned no answer");
  return { markets: secondsOf(reply.market_settled_ts), trades: secondsOf(reply.trades_created_ts) };
}

/**
 * The gap a live-tier walk leaves after a long downtime if it stopped before the time from which that tier has every
 * row: the venue moved rows to the historical tier meanwhile. A backfill reads both tiers.
 */
export function goneFromLive(from: number, cutoff: number): NonNullable<Batch["gap"]> {
  return {
    from: timestampOf(from),
    to: timestampOf(cutoff + BOTH_TIERS_SECONDS),
    reason: "Kalshi's live tier may not reach back to where the walk stopped",
  };
}
