import { expect, it } from "vitest";
import { gdeltArticlesStream } from "../../../src/connectors/gdelt/articles.ts";
import { readArticles, stampOf } from "../../../src/connectors/gdelt/search/read-articles.ts";
import type { Cursor } from "../../../src/definition/connector.ts";
import { collect, memoryFeed, pullOptions } from "../polymarket/memory-feed.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();

it("continues from the previous round, even if no terms were known between, and reaches 20 minutes before its start", async () => {
  const feed = memoryFeed({ get: () => ({}) });
  let cursor: Cursor | undefined;
  const cycle = async (now: number, terms: readonly string[]) => {
    const given = { cursor, now: () => now, known: async () => terms };
    const taken = await collect(gdeltArticlesStream.pull(pullOptions(feed, given)));
    ({ cursor } = taken);
    return taken.batches.at(-1);
  };
  expect(await cycle(NOON, ["Jane Doe"])).toMatchObject({ reached: iso(NOON - 20 * MINUTE) });
  expect(await cycle(NOON + 60 * MINUTE, [])).toEqual({ rows: [], cursor, isCaughtUp: true });
  expect(await cycle(NOON + 180 * MINUTE, ["Jane Doe"])).toMatchObject({
    reached: iso(NOON + 160 * MINUTE),
    since: iso(NOON - 60 * MINUTE),
  });
  expect(feed.calls.map(({ query }) => query.get("startdatetime"))).toEqual([
    stampOf(NOON - 7 * 60 * MINUTE),
    stampOf(NOON - 60 * MINUTE),
  ]);
});

it("requests the last hour if the previous round was saved while this machine's clock was ahead", async () => {
  const feed = memoryFeed({ get: () => ({}) });
  const ahead = NOON + 300 * MINUTE;
  const given = { now: () => NOON, known: async () => ["Jane Doe", "John Roe"] };
  for (const place of [0, 1]) {
    const cursor = { place, from: ahead - 6 * MINUTE, began: ahead };
    const { batches } = await collect(gdeltArticlesStream.pull(pullOptions(feed, { ...given, cursor })));
    expect(batches.at(-1)).toMatchObject({ since: iso(NOON - 60 * MINUTE), reached: iso(NOON - 20 * MINUTE) });
  }
  const from = stampOf(NOON - 60 * MINUTE);
  expect(feed.calls.map(({ query }) => query.get("startdatetime"))).toEqual([from, from, from]);
});

it("keeps the articles of earlier pages if GDELT refuses a later one", async () => {
  const listed = Array.from({ length: 250 }, (_, index) => ({
    url: `https://a.example/${index}`,
    title: "Jane Doe",
    seendate: `${stampOf(NOON - 59 * MINUTE).replace(/(\d{8})(\d{6})/, "$1T$2")}Z`,
    domain: "a.example",
    language: "English",
  }));
  let calls = 0;
  const feed = memoryFeed({
    get: () => ((calls += 1) === 1 ? { articles: listed } : { refused: "Timespan is too short." }),
  });
  const { articles, notices } = await readArticles({ feed }, '"Jane Doe"', { from: NOON - 60 * MINUTE, to: NOON });
  expect(articles).toHaveLength(250);
  expect(notices).toMatchObject([{ text: 'GDELT refused "Jane Doe": Timespan is too short.' }]);
});
