import { expect, it } from "vitest";
import { gdeltArticlesStream } from "../../../src/connectors/gdelt/articles.ts";
import { stampOf } from "../../../src/connectors/gdelt/search/read-articles.ts";
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
