import type { Decoded } from "../../definition/connector.ts";
import type { GapKeeper } from "./gap-keeper.ts";

export type Broken = NonNullable<Decoded["broken"]>[number];

const MOST_INSTRUMENT_GAPS = 100;
const NAMED = "instrument ";
const REFUSED = "many of its instruments cannot be had";
const NONE = "the venue has no state of it";

export const nameOf = (instrument: string): string => `${NAMED}${instrument}`;

/** The gap of one instrument; of its whole socket (`key`) where many have their own already. */
export function openGap(gaps: GapKeeper, key: string, { instrument, reason, since }: Broken, lastGood: number): void {
  const from = Math.min(since ?? lastGood, lastGood);
  const isOne = gaps.count(NAMED) < MOST_INSTRUMENT_GAPS;
  if (isOne) gaps.open(nameOf(instrument), { from, reason, instrument });
  else gaps.open(key, { from, reason });
}

/**
 * Its own gap lasts until the venue has a state of it or it is followed no more; the socket's need not wait for it.
 * False where there are too many.
 */
export function leaveOpen(gaps: GapKeeper, instrument: string, from: number): boolean {
  if (!gaps.has(nameOf(instrument)) && gaps.count(NAMED) >= MOST_INSTRUMENT_GAPS) return false;
  gaps.open(nameOf(instrument), { from, reason: NONE, instrument });
  return true;
}

/** Instruments out of reach: each has a gap that lasts; where there are too many, the socket's (`key`) lasts for them. */
export function keepOutOfReach(gaps: GapKeeper, key: string) {
  const unnamed = new Set<string>();
  return {
    add: (instruments: readonly string[], from: number): void => {
      for (const instrument of instruments) {
        if (leaveOpen(gaps, instrument, from)) continue;
        unnamed.add(instrument);
        gaps.open(key, { from, reason: REFUSED });
      }
    },
    forget: (instrument: string): void => {
      unnamed.delete(instrument);
    },
    areNamed: (): boolean => unnamed.size === 0,
  };
}
