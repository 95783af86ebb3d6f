import type { GapKeeper } from "./gap-keeper.ts";
import type { Stamp } from "./row-clock.ts";

const REASON = "the venue stamped rows ahead of this machine's clock";

/** The gap while a venue's rows are stamped ahead of their arrival, up to the latest moment that they were stamped with. */
export function createAheadGap(gaps: Pick<GapKeeper, "open" | "close">, key: string, venueNow: () => number) {
  const name = `ahead ${key}`;
  let latest = 0;
  const end = (): void => gaps.close(name, Math.max(latest, venueNow()));
  return {
    /** `from`: the earliest moment of a row that came with it or after the frame before it. */
    onStamp: ({ aheadTo }: Stamp, from: number): void => {
      if (aheadTo === undefined) return end();
      latest = Math.max(latest, aheadTo);
      gaps.open(name, { from, reason: REASON });
    },
    end,
  };
}
