import { expect, it } from "vitest";
import { polymarketMarketsStream } from "../../../src/connectors/polymarket/markets.ts";
import type { Cursor } from "../../../src/definition/connector.ts";
import { collect, memoryFeed, pullOptions } from "./memory-feed.ts";

const NOW = Date.UTC(2026, 10, 20);
const LATER = NOW + 300_000;
const PAGE = 100;
const closed = (id: number, secondsAgo: number) => ({
  id: String(id),
  question: "Q",
  slug: "s",
  conditionId: `0x${String(id).padStart(64, "c")}`,
  closed: true,
  closedTime: new Date(NOW - secondsAgo * 1000).toISOString(),
});

it.each([
  ["the newest closing is past", 0],
  ["a closing time lies in the future", -86_400],
])("reads all closings since the last cycle, also if %s", async (_when, secondsAgo) => {
  const markets = [closed(1, secondsAgo), closed(2, 86_400 * 3)];
  const feed = memoryFeed({
    get: (_call, query) => {
      if (query.get("order") !== "closedTime") return { markets: [] };
      const first = Number(query.get("after_cursor") ?? 0);
      const next = first + PAGE < markets.length ? { next_cursor: String(first + PAGE) } : {};
      return { markets: markets.slice(first, first + PAGE), ...next };
    },
  });
  const first = await collect(polymarketMarketsStream.pull(pullOptions(feed, { now: () => NOW })));
  markets.push(...Array.from({ length: 3 * PAGE }, (_, at) => closed(1000 - at, at - 299)));
  markets.sort((one, other) => (one.closedTime < other.closedTime ? 1 : -1));
  feed.calls.length = 0;
  await collect(polymarketMarketsStream.pull(pullOptions(feed, { now: () => LATER, cursor: first.cursor })));
  const pages = feed.calls.filter(({ query }) => query.get("order") === "closedTime");
  expect(pages.map(({ query }) => query.get("after_cursor"))).toEqual([null, "100", "200", "300"]);
});

const all = (isClosed: boolean) =>
  Array.from({ length: 3 * PAGE }, (_, at) => ({ ...closed(1000 - at, at), closed: isClosed }));

it("an empty list does not make the next cycle walk everything", async () => {
  let isEmpty = false;
  const feed = memoryFeed({
    get: (_call, query) => {
      const markets = isEmpty ? [] : all(query.get("closed") === "true");
      const first = Number(query.get("after_cursor") ?? 0);
      const next = first + PAGE < markets.length ? { next_cursor: String(first + PAGE) } : {};
      return { markets: markets.slice(first, first + PAGE), ...next };
    },
  });
  const cycle = async (at: number, cursor?: Cursor) => {
    feed.calls.length = 0;
    return (await collect(polymarketMarketsStream.pull(pullOptions(feed, { now: () => at, cursor })))).cursor;
  };
  const first = await cycle(NOW);
  isEmpty = true;
  const second = await cycle(NOW + 20_000, first);
  isEmpty = false;
  await cycle(NOW + 40_000, second);
  expect(feed.calls.map(({ query }) => [query.get("order"), query.get("after_cursor")])).toEqual([
    ["id", null],
    ["closedTime", null],
    ["closedTime", "100"],
    ["closedTime", "200"],
  ]);
});
