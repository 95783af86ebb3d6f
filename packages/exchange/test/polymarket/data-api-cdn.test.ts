import { afterEach, expect, test } from "vitest";
import { openPaper, type Paper } from "./paper.ts";

interface Page {
  data: { timestamp: number }[];
}

let paper: Paper;
afterEach(() => paper.served.close());

test("the CDN caches a URL for five minutes of world time; a dummy parameter bypasses it", async () => {
  paper = await openPaper({ data: {} });
  const first = await paper.get<Page>("data", "/v2/trades?limit=10");
  expect(first.headers.get("cache-control")).toBe("public, max-age=300");
  paper.pass(200_000);
  const stale = await paper.get<Page>("data", "/v2/trades?limit=10");
  expect(stale.body).toEqual(first.body);
  expect(stale.headers.get("age")).toBe("200");
  const fresh = await paper.get<Page>("data", "/v2/trades?limit=10&_=1");
  expect(fresh.body.data[0]?.timestamp).toBeGreaterThan(first.body.data[0]?.timestamp ?? 0);
  paper.pass(101_000);
  const later = await paper.get<Page>("data", "/v2/trades?limit=10");
  expect(later.body.data[0]?.timestamp).toBeGreaterThan(fresh.body.data[0]?.timestamp ?? 0);
});

test("cdn: false turns caching off", async () => {
  paper = await openPaper({ data: { cdn: false } });
  const first = await paper.get<Page>("data", "/v2/trades?limit=10");
  expect(first.headers.get("cache-control")).toBeNull();
  paper.pass(60_000);
  const next = await paper.get<Page>("data", "/v2/trades?limit=10");
  expect(next.body.data[0]?.timestamp).toBeGreaterThan(first.body.data[0]?.timestamp ?? 0);
});

test("a trade is visible only after its block and the lag of the feed", async () => {
  paper = await openPaper({ data: { cdn: false, lag_ms: 4000 } });
  paper.pass(30_000);
  const { body } = await paper.get<Page>("data", "/v2/trades?limit=1");
  expect((body.data[0]?.timestamp ?? 0) * 1000).toBeLessThanOrEqual(paper.world.reached() - 4000);
});
