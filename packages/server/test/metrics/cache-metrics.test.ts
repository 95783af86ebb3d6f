import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createCacheMetrics, openCache } from "../../src/query/query-cache.ts";

type Page = { readonly rows: string; readonly isCurrent: () => boolean };

/** A cache of answers that depend on a stamp; each request sets the current stamp. */
function cacheOf(registry: Registry) {
  let stamp = 0;
  const ask = async (): Promise<Page> => {
    const own = stamp;
    return { rows: String(own), isCurrent: () => stamp === own };
  };
  const headOf = (page: Page): Page => ({ ...page, rows: "" });
  const cache = openCache<Page>(() => 1, 100, { count: createCacheMetrics(registry), headOf });
  return {
    requested: (key: string, at: number): Promise<Page> => {
      stamp = at;
      return cache.joined(key, { stamp: () => stamp, ask, lifeMs: () => 60_000 });
    },
    headOf: (key: string, at: number): Page | undefined => {
      stamp = at;
      return cache.headOf(key);
    },
  };
}

async function countsOf(registry: Registry): Promise<Record<string, number>> {
  const [metric] = await registry.getMetricsAsJSON();
  return Object.fromEntries(metric?.values.map(({ labels, value }) => [labels["outcome"], value]) ?? []);
}

test("runs a query once, shares it while in flight, and keeps its answer until its tables change", async () => {
  const registry = new Registry();
  const { requested } = cacheOf(registry);
  await Promise.all([requested("a", 1), requested("a", 1)]);
  await requested("a", 1);
  await requested("a", 2);
  expect(await countsOf(registry)).toEqual({ asked: 2, joined: 1, kept: 1 });
});

test("keeps an answer from the second request of its query on, whatever changed since the first", async () => {
  const registry = new Registry();
  const { requested } = cacheOf(registry);
  for (const stamp of [1, 1, 1, 2, 2]) await requested("a", stamp);
  await requested("b", 2);
  expect(await countsOf(registry)).toEqual({ asked: 4, kept: 2 });
});

test("keeps all but the rows of an answer requested once, until its tables change", async () => {
  const { requested, headOf } = cacheOf(new Registry());
  expect(headOf("a", 1)).toBeUndefined();
  await requested("a", 1);
  expect(headOf("a", 1)?.rows).toBe("");
  expect(headOf("a", 2)).toBeUndefined();
  await requested("a", 1);
  expect(headOf("a", 1)?.rows).toBe("1");
});
