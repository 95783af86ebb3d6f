import { expect, test } from "vitest";
import { batchAsks } from "../../src/read/batch-asks.ts";

const BOUNDS = { most: 3, atOnce: 2, gatherMs: 5 };
const keys = Array.from({ length: 10 }, (_, index) => `k${index}`);

test("batchAsks groups keys into bounded batches, runs few at once, and gives each caller its own answer", async () => {
  const sizes: number[] = [];
  let [underWay, maxAtOnce] = [0, 0];
  const ask = batchAsks(
    async (requested) => {
      sizes.push(requested.length);
      underWay += 1;
      maxAtOnce = Math.max(maxAtOnce, underWay);
      await new Promise((resolve) => setTimeout(resolve, 10));
      underWay -= 1;
      return new Map(requested.filter((key) => key !== "k4").map((key) => [key, key.toUpperCase()]));
    },
    "none",
    BOUNDS,
  );
  const answers = await Promise.all(keys.map((key) => ask(key)));
  expect(answers).toEqual(keys.map((key) => (key === "k4" ? "none" : key.toUpperCase())));
  expect(sizes).toEqual([3, 3, 3, 1]);
  expect(maxAtOnce).toBe(2);
});

test("batchAsks fails only the keys of a failed batch, and still requests the next batches", async () => {
  let asks = 0;
  const ask = batchAsks(
    async (requested) => {
      asks += 1;
      if (asks === 1) throw new Error("busy");
      return new Map(requested.map((key) => [key, 1]));
    },
    0,
    BOUNDS,
  );
  const answers = await Promise.allSettled(keys.slice(0, 5).map((key) => ask(key)));
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected", "fulfilled", "fulfilled"]);
});
