import fc from "fast-check";
import { expect, test } from "vitest";
import { type Held, HeldTokens } from "../../src/derivations/wallet/held-tokens.ts";
import { Holding } from "../../src/derivations/wallet/holding.ts";

const marks = { days: Uint16Array.of(10, 12, 15), marks: Float64Array.of(370_001, 1, 1_000_000) };
const markOn = (day: number): bigint | undefined =>
  day >= 15 ? 1_000_000n : day >= 12 ? 1n : day >= 10 ? 370_001n : undefined;

const holding = (token: string, shares: bigint, cost: bigint): Holding =>
  new Holding({ token, condition: "0x1", shares, cost, lots: [{ shares, cost }], payout: undefined });

const inBigInt = (held: Held) => ({ ...held, cost: BigInt(held.cost), value: BigInt(held.value) });

/** Small holdings, and holdings beyond the exact range of a number. */
const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 10_000_000n }),
  fc.bigInt({ min: 9_007_199_254_740_000n, max: 900_000_000_000_000_000n }),
);

test("holdings are worth shares at the newest mark, each rounded down, or their cost without a mark", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ shares: amount, cost: amount, isMarked: fc.boolean() }), { maxLength: 6 }),
      fc.integer({ min: 8, max: 17 }),
      (all, day) => {
        const isMarked = (token: string): boolean => all[Number(token)]?.isMarked === true;
        const held = new HeldTokens(
          (token) => (isMarked(token) ? marks : undefined),
          all.map(({ shares, cost }, index) => holding(String(index), shares, cost)),
        );
        let [value, cost] = [0n, 0n];
        for (const one of all) {
          const mark = one.isMarked ? markOn(day) : undefined;
          value += mark === undefined ? one.cost : (one.shares * mark) / 1_000_000n;
          cost += one.cost;
        }
        expect(inBigInt(held.at(day))).toEqual({ value, cost, tokens: all.length });
      },
    ),
  );
});

test("a changed holding counts once, a resolved one at its payout, and a sold one not at all", () => {
  const [kept, sold, settled] = [holding("1", 4n, 3n), holding("2", 8n, 5n), holding("3", 2_000_000n, 7n)];
  const held = new HeldTokens(() => undefined, [kept, sold, settled]);
  kept.add(4n, 2n);
  sold.release(8n);
  settled.settle(500_000n);
  for (const one of [kept, kept, sold, settled]) held.update(one);
  expect(inBigInt(held.at(20))).toEqual({ cost: 5n + 1_000_000n, value: 5n + 1_000_000n, tokens: 1 });
  expect(held.isOpen).toBe(true);
  kept.release(8n);
  held.update(kept);
  expect(held.isOpen).toBe(false);
});
