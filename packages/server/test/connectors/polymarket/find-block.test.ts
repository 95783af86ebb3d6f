import fc from "fast-check";
import { numberToHex } from "viem/utils";
import { expect, it } from "vitest";
import { findBlock } from "../../../src/connectors/polymarket/chain/read-blocks.ts";
import { memoryFeed } from "./memory-feed.ts";

const HASH = `0x${"0".repeat(64)}`;

/** A node that has the blocks `first`…`last`, each with its time, and records requested blocks. */
function node(first: number, last: number, timeOf: (number: number) => number) {
  const requested: number[] = [];
  const feed = memoryFeed({
    rpc: (_, [tag]) => {
      const number = Number(tag);
      requested.push(number);
      if (number < first || number > last) return null;
      return { number: tag, hash: HASH, parentHash: HASH, timestamp: numberToHex(timeOf(number)) };
    },
  });
  return { feed, requested };
}

it("finds the same block as a linear scan, for any block times, in at most twice the calls of a binary search", async () => {
  const chain = fc.record({
    rises: fc.array(fc.oneof({ weight: 4, arbitrary: fc.constant(2) }, fc.nat(3), fc.nat(100_000)), {
      minLength: 1,
      maxLength: 300,
    }),
    low: fc.nat(5),
    lost: fc.nat(310),
    lagging: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(3)),
    share: fc.double({ min: -0.1, max: 1.1, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(chain, async ({ rises, low, lost, lagging, share }) => {
      const times = [1000];
      for (const rise of rises) times.push((times.at(-1) ?? 0) + rise);
      const high = times.length - 1;
      const lowest = Math.min(low, high);
      const { feed, requested } = node(lost, high - lagging, (number) => times[number] ?? 0);
      const [start, end] = [times[0] ?? 0, times.at(-1) ?? 0];
      const seconds = Math.max(0, Math.floor(start + share * (end - start)));
      const has = (number: number) => number >= lost && number <= high - lagging && (times[number] ?? 0) >= seconds;
      const there = Array.from({ length: high - lowest + 1 }, (_, index) => lowest + index);
      const found = await findBlock(feed, seconds, lowest, high);
      // If the newest blocks are missing, the right one may be skipped: the result is never an earlier one.
      if (lagging === 0) expect(found).toBe(there.find(has) ?? high + 1);
      else expect(found).toBeGreaterThanOrEqual(there.find(has) ?? high + 1);
      expect(requested.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(there.length + 1)) + 1);
    }),
  );
});

/** Block times of 2.6, 2.1 and 2 s, and ten hours without a block. */
const timeOf = (number: number): number => {
  if (number < 2e7) return Math.floor(1.59e9 + 2.6 * number);
  return Math.floor(number < 5e7 ? 1.642e9 + 2.1 * (number - 2e7) : 1.705036e9 + 2 * (number - 5e7));
};

it("finds a timestamp in the whole chain with fewer than a dozen calls", async () => {
  for (let seconds = timeOf(0); seconds < timeOf(8e7); seconds += 1_234_567) {
    const { feed, requested } = node(0, 8e7, timeOf);
    const found = await findBlock(feed, seconds, 0, 8e7);
    expect([timeOf(found) >= seconds, found === 0 || timeOf(found - 1) < seconds]).toEqual([true, true]);
    expect(requested.length).toBeLessThan(12);
  }
});

it("continues the search if a lagging node lacks the newest block", async () => {
  const { feed } = node(0, 990, (number) => 1000 + 2 * number);
  expect(await findBlock(feed, 1100, 0, 1000)).toBe(50);
});
