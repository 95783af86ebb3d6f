import type { Batch } from "../../../definition/connector.ts";
import { BOTH_TIERS_SECONDS } from "./read-cutoff.ts";
import { momentOf } from "./to-moment.ts";

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
