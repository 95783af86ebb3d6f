import type { GapKeeper } from "./gap-keeper.ts";
import type { Stamp } from "./row-clock.ts";

const REASON = "the venue stamped rows ahead of this machine's clock";

type AheadGapOptions = {
  readonly gaps: Pick<GapKeeper, "open" | "close">;
  /** The socket's, over all its connections. */
  readonly key: string;
  readonly venueNow: () => number;
  /** The latest moment (Unix ms) of a row of each socket that was stamped ahead, until that is past. */
  readonly aheadTo: Map<string, number>;
  /** States are to be had anew: those stored at moments that were not yet lie behind what came after them. */
  readonly onPast: () => void;
};

/**
 * The gap from rows that a venue stamped ahead of their arrival to after the latest moment that it stamped them with.
 * `from`: the earliest moment of a row behind the frame before.
 */
export function createAheadGap(options: AheadGapOptions): (stamp: Stamp, from: number) => void {
  const { gaps, key, venueNow, aheadTo, onPast } = options;
  const name = `ahead ${key}`;
  return (stamp, from) => {
    const latest = aheadTo.get(key) ?? Number.NEGATIVE_INFINITY;
    if (stamp.aheadTo !== undefined) {
      aheadTo.set(key, Math.max(latest, stamp.aheadTo));
      gaps.open(name, { from, reason: REASON });
    } else if (aheadTo.has(key) && venueNow() > latest) {
      aheadTo.delete(key);
      gaps.close(name, venueNow());
      onPast();
    }
  };
}
