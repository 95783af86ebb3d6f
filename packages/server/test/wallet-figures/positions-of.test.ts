import { expect, test } from "vitest";
import { positionsOf } from "../../src/derivations/wallet-figures/positions-of.ts";
import { VenuePosition } from "../../src/derivations/wallet/venue-position.ts";
import { dayNumber, foldedOfRows } from "../fixtures/folded-of-rows.ts";
import { ANNA } from "../fixtures/wallet-names.ts";
import { tokenDay } from "../fixtures/wallet-token-day-rows.ts";

test("rounds half of a ten thousandth of a percent to even", () => {
  const day = "2026-06-05";
  const tokenDays = ["1", "3", "5", "3191"].map((shares, index) =>
    tokenDay(ANNA, day, String(100 + index), { shares, payout: "1", first_at: 1, last_at: 2 }),
  );
  const folded = foldedOfRows({ walletDays: [], tokenDays, conditionDays: [] }, dayNumber(day));
  const sources = { markOf: () => undefined, ofToken: () => null, venueOf: () => new VenuePosition() };
  const made = positionsOf(ANNA, folded, sources, { status: "redeemable" });
  expect(made).toHaveLength(tokenDays.length);
  expect(made.map(({ values }) => values()["pct_of_value"])).toContainEqual({ parts: 312n, places: 4 });
});

test("leaves nothing unrealised at a payout by halves, and values less cost unrealised at a mark by halves", () => {
  const day = "2026-06-05";
  const tokenDays = [
    tokenDay(ANNA, day, "100", { shares: "10.000001", cost_usd: "5", payout: "0.5", first_at: 1, last_at: 2 }),
    tokenDay(ANNA, day, "101", { shares: "10.000001", cost_usd: "6", first_at: 1, last_at: 2 }),
  ];
  const folded = foldedOfRows({ walletDays: [], tokenDays, conditionDays: [] }, dayNumber(day));
  const sources = { markOf: () => 500_000, ofToken: () => null, venueOf: () => new VenuePosition() };
  const made = positionsOf(ANNA, folded, sources, {}).map(({ values }) => values());
  expect(made.map(({ value, unrealized_pnl }) => [value, unrealized_pnl])).toEqual([
    [5_000_000, 0],
    [5_000_000, -1_000_000],
  ]);
});
