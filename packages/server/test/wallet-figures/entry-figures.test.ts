import { expect, test } from "vitest";
import { timingOf } from "../../src/derivations/wallet-figures/entry-figures.ts";

/** Number of suspicious entries of a token whose close was this much above the prices paid, summed over its entries. */
function suspiciousOf(clvEntries: number, clvSum: number) {
  const entry = { eventKey: "1", payout: 0, shares: 1_000_000, bought: 400_000 };
  return timingOf([{ ...entry, clvEntries, clvSum }]).fields["suspicious_timing_trades"];
}

test.each([1, 2, 3, 6, 7, 12, 14])(
  "%i entries at 0.20 below the close are suspicious, a millionth less not",
  (count) => {
    expect(suspiciousOf(count, count * 200_000)).toBe(count);
    expect(suspiciousOf(count, count * 200_000 - 1)).toBe(0);
  },
);
