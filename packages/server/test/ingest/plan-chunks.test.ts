import { afterAll, beforeAll, expect, test } from "vitest";
import { planChunks } from "../../src/ingest/plan-chunks.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { fillRow, minuteCounts } from "./fill-rows.ts";
import { openEngines } from "./open-engines.ts";

const DAY = 86_400;
const START = Date.UTC(2026, 10, 20) / 1000;

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
  // 10 on the first day, 1,000 on the second, none on the third, 20 on the fourth.
  const timestamps = [10, 1000, 0, 20].flatMap((count, day) =>
    Array.from({ length: count }, (_, index) => START + day * DAY + Math.floor((index * DAY) / count)),
  );
  await engines.store.insert(
    polymarketFills,
    timestamps.map((timestamp, index) => fillRow(index + 1, timestamp)),
  );
});
afterAll(async () => engines.close());

const plan = (bucketSeconds: number, rows: number, days = 4) =>
  planChunks({ ...minuteCounts, bucketSeconds }, { from: START, to: START + days * DAY }, engines.store, rows);

test("splits a dense day by its rows, and merges sparse days up to the longest chunk", async () => {
  const hours = await plan(3600, 100);
  expect(hours[0]).toEqual({ from: START, to: START + DAY + 2 * 3600 });
  expect(hours.at(-1)?.to).toBe(START + 4 * DAY);
  expect(hours.length).toBeGreaterThanOrEqual(11);
  for (const [index, { from, to }] of hours.entries()) {
    expect(from).toBe(hours[index - 1]?.to ?? START);
    expect((to - from) % 3600).toBe(0);
    expect(to).toBeGreaterThan(from);
    const ofDense = Math.max(0, Math.min(to, START + 2 * DAY) - Math.max(from, START + DAY));
    expect((ofDense * 1000) / DAY).toBeLessThanOrEqual(100);
  }
  expect(await plan(3600, 1_000_000)).toEqual([{ from: START, to: START + 4 * DAY }]);
});

test("plans minutes at most ten days at a time, and a bucket that is too dense alone", async () => {
  expect(await plan(60, 1_000_000, 40)).toHaveLength(4);
  const days = await plan(DAY, 100);
  expect(days.map(({ from, to }) => (to - from) / DAY)).toEqual([1, 1, 2]);
});
