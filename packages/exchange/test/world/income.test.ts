import { describe, expect, test } from "vitest";
import { createWorld } from "../../src/world/create-world.ts";
import type { World } from "../../src/world/world.ts";

const FROM = Date.UTC(2026, 10, 18);
const DAY = 86_400_000;
const END = FROM + 2.5 * DAY;
const SIZES = { seed: 7, from_ms: FROM, days: 2.5, events: 30, wallets: 150, kalshi_markets: 1, activity: 0.5 };

/** A world whose income is requested every few hours, or only at its end. */
function run(asksOften: boolean): World {
  let now = FROM;
  const world = createWorld({ ...SIZES, clock: () => now });
  for (now = FROM; now <= END; now += 5 * 3_600_000) {
    world.advanceTo(now);
    if (asksOften) world.income.all();
  }
  world.advanceTo(END);
  return world;
}

describe("income", () => {
  const world = run(false);
  const paid = world.income.all();

  test("is the same whenever it is requested, and requesting it changes nothing else", () => {
    const requested = run(true);
    expect(requested.income.all()).toEqual(paid);
    expect(requested.truth()).toEqual(world.truth());
    expect(requested.walletTruth()).toEqual(world.walletTruth());
  });

  test("is paid for whole days, in one transaction per day and type", () => {
    const hours = { REWARD: 600_000, MAKER_REBATE: 1_200_000 };
    const days = [FROM + DAY, FROM + 2 * DAY];
    const places = new Set(paid.map(({ type, ms, tx_hash }) => `${type} ${ms} ${tx_hash}`));
    expect(places.size).toBe(4);
    for (const [type, after] of Object.entries(hours)) {
      const timestamps = new Set(paid.filter((payment) => payment.type === type).map(({ ms }) => ms));
      expect([...timestamps]).toEqual(days.map((day) => day + after));
    }
    expect(new Set(paid.map(({ wallet, tx_hash }) => `${wallet} ${tx_hash}`)).size).toBe(paid.length);
    expect(paid.map(({ seq }) => seq)).toEqual(paid.map((_, index) => index + 1));
  });

  test("includes rebates: a fifth of the takers' fees, in proportion to the makers' filled shares", () => {
    const before = FROM + 2 * DAY;
    const fees = new Map<string, number>();
    for (const { taker, makers, block_ms } of world.polymarket.matches) {
      if (block_ms >= before) continue;
      for (const maker of makers) {
        const part = (taker.fee_micro * maker.shares_micro) / taker.shares_micro;
        fees.set(maker.wallet, (fees.get(maker.wallet) ?? 0) + part);
      }
    }
    const rebates = new Map<string, number>();
    for (const { type, wallet, amount_micro } of paid) {
      if (type === "MAKER_REBATE") rebates.set(wallet, (rebates.get(wallet) ?? 0) + amount_micro);
    }
    expect(rebates.size).toBeGreaterThan(3);
    const fills = world.polymarket.matches.length;
    for (const [wallet, earned] of fees) {
      const missing = earned / 5 - (rebates.get(wallet) ?? 0);
      // Rounded down to the millionth, match by match and day by day.
      expect(missing).toBeGreaterThan(-0.001);
      expect(missing).toBeLessThan(fills / 5 + 2);
    }
  });

  test("includes rewards only for wallets that quote, growing with the hours that markets are open", () => {
    const quoting = new Set(
      world
        .walletTruth()
        .filter(({ style }) => style === "maker")
        .map(({ address }) => address),
    );
    const rewards = paid.filter(({ type }) => type === "REWARD");
    expect(rewards.length).toBeGreaterThan(3);
    for (const { wallet, amount_micro } of rewards) {
      expect(quoting).toContain(wallet);
      expect(Number.isSafeInteger(amount_micro) && amount_micro > 0).toBe(true);
    }
    const hours = world.polymarket.markets
      .filter(({ slug }) => !slug.includes("updown"))
      .map(({ created_ms, closed_ms }) => Math.min(closed_ms ?? END, FROM + 2 * DAY) - Math.max(created_ms, FROM))
      .reduce((sum, live) => sum + Math.max(0, live) / 3_600_000, 0);
    const total = rewards.reduce((sum, { amount_micro }) => sum + amount_micro, 0);
    expect(total / (hours * 50_000)).toBeCloseTo(1, 3);
  });

  test("of one wallet is its part of all income", () => {
    const { wallet } = paid[0] ?? { wallet: "0x" };
    expect(world.income.of(wallet.toUpperCase().replace("0X", "0x"))).toEqual(
      paid.filter((payment) => payment.wallet === wallet),
    );
    expect(world.income.of("0x0000000000000000000000000000000000000001")).toEqual([]);
  });
});
