import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createCacheMetrics } from "../../src/query/cache-metrics.ts";
import { openCache } from "../../src/query/query-cache.ts";

const ask = async () => ({ page: "1" });
const minute = (): number => 60_000;

test("a question is asked once, joined while it is in flight and kept after it, until its tables change", async () => {
  const registry = new Registry();
  const cache = openCache<{ page: string }>(() => 1, 100, { count: createCacheMetrics(registry) });
  await Promise.all([cache.joined("a", "before", ask, minute), cache.joined("a", "before", ask, minute)]);
  await cache.joined("a", "before", ask, minute);
  await cache.joined("a", "after", ask, minute);
  const [metric] = await registry.getMetricsAsJSON();
  const counts = metric?.values.map(({ labels, value }) => [labels["outcome"], value]);
  expect(Object.fromEntries(counts ?? [])).toEqual({ asked: 2, joined: 1, kept: 1 });
});

test("an answer is kept from the second time its question is asked, whatever changed since the first", async () => {
  const registry = new Registry();
  const cache = openCache<{ page: string }>(() => 1, 100, { count: createCacheMetrics(registry) });
  for (const stamp of ["1", "1", "1", "2", "2"]) await cache.joined("a", stamp, ask, minute);
  await cache.joined("b", "2", ask, minute);
  const [metric] = await registry.getMetricsAsJSON();
  const counts = metric?.values.map(({ labels, value }) => [labels["outcome"], value]);
  expect(Object.fromEntries(counts ?? [])).toEqual({ asked: 4, kept: 2 });
});
