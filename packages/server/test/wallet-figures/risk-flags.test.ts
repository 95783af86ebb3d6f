import { expect, test } from "vitest";
import { timingOf } from "../../src/derivations/wallet-figures/entry-figures.ts";
import { spreadOf } from "../../src/derivations/wallet-figures/market-figures.ts";
import { flagFields } from "../../src/derivations/wallet-figures/risk-flags.ts";
import { sumDays } from "../../src/derivations/wallet-figures/window-sums.ts";

/** Flags of a wallet with these gains in its tokens and markets, in millionths of a dollar. */
function flagsOf(moves: readonly number[]) {
  const entries = moves.map((clvSum) => {
    return { eventKey: "1", payout: 0, shares: 1_000_000, bought: 400_000, clvEntries: 1, clvSum };
  });
  const markets = moves.map((pnl, index) => {
    return { condition: String(index), pnl, bought: 0, buys: 1, sells: 0, wins: 0, losses: 0 };
  });
  const spread = spreadOf(markets, { gained: 0, lost: 0 }, 0);
  return flagFields({ sums: sumDays([], 0), timing: timingOf(entries), spread, sybilScore: 0 });
}

const flags = (isRaised: boolean) => ({ perfect_timing_flag: isRaised, single_market_dependence_flag: isRaised });

test.each([280_000, 560_000, 1_120_000, 5_480_000])("flags a share above 0.8, not one of exactly 0.8: %i", (most) => {
  const rest = most / 4;
  expect(flagsOf([most, -rest, 0, 0, 0])).toMatchObject(flags(false));
  expect(flagsOf([most + 1, -rest, 0, 0, 0])).toMatchObject(flags(true));
});
