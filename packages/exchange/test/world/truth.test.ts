import { describe, expect, test } from "vitest";
import { smallWorld } from "./small-world.ts";

describe("the truth of a world", () => {
  const { world, happenings } = smallWorld();

  test("counts every happening once", () => {
    const { fills, splits, merges, conversions, redemptions, transfers, kalshi_trades, posts } = world.truth();
    const counted = (...kinds: string[]): number => happenings.filter(({ kind }) => kinds.includes(kind)).length;
    const legs = happenings.reduce((sum, each) => sum + (each.kind === "match" ? each.makers.length + 1 : 0), 0);
    expect(fills).toBe(legs);
    expect(splits + merges + conversions + redemptions + transfers).toBe(
      counted("split", "merge", "convert", "redeem", "transfer"),
    );
    expect(kalshi_trades).toBe(counted("kalshi_trade"));
    expect(posts).toBe(counted("post"));
  });

  test("says what wallets are", () => {
    expect(new Set(world.walletTruth().map(({ style }) => style))).toEqual(
      new Set(["informed", "noise", "maker", "farmer", "sybil", "wash"]),
    );
  });
});
