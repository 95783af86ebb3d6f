import { describe, expect, it } from "vitest";
import { tagParents } from "../../../src/connectors/polymarket/gamma/tag-paths.ts";
import { toTag, polymarketTagsStream } from "../../../src/connectors/polymarket/tags.ts";
import { polymarketTags } from "../../../src/tables/polymarket-tags.ts";
import { servePolymarket } from "../../../../exchange/src/polymarket/serve-polymarket.ts";
import { createWorld } from "../../../../exchange/src/world/create-world.ts";
import { httpFeed } from "./http-feed.ts";
import { collect, memoryFeed, pullOptions } from "./memory-feed.ts";

// As recorded (reference/polymarket.md §1.3).
const recorded = {
  id: "101259",
  label: "Health and Human Services",
  slug: "health-and-human-services",
  createdAt: "2024-11-13T19:58:34.318816Z",
  updatedAt: "2026-03-09T22:21:41.828275Z",
  requiresTranslation: false,
};
const tag = (index: number) => ({ ...recorded, id: String(index), slug: index === 3 ? "nba" : `tag-${index}` });

/** A Gamma with a given number of tags that returns at most 100 whatever the limit. */
const gamma = (count: number) =>
  memoryFeed({
    get: (_call, query) => {
      const offset = Number(query.get("offset"));
      return Array.from({ length: Math.max(0, Math.min(100, count - offset)) }, (_, index) => tag(offset + index));
    },
  });

describe("Gamma's tags", () => {
  it("are read completely by offset, up to an empty page", async () => {
    const feed = gamma(250);
    const taken = await collect(polymarketTagsStream.pull(pullOptions(feed)));
    expect(taken.of(polymarketTags)).toHaveLength(250);
    expect(taken.batches.at(-1)).toMatchObject({ cursor: { tags: 250 }, isCaughtUp: true });
    expect(feed.calls.map(({ query }) => query.get("offset"))).toEqual(["0", "100", "200", "300"]);
    expect(new Set(feed.calls.map(({ query }) => query.get("limit")))).toEqual(new Set(["100"]));
    expect(taken.of(polymarketTags)[3]).toEqual({
      tag_id: "3",
      label: "Health and Human Services",
      slug: "nba",
      parent_slug: "basketball",
      created_at: "2024-11-13T19:58:34.318816Z",
      updated_at: "2026-03-09T22:21:41.828275Z",
    });
    expect(taken.of(polymarketTags)[4]).toMatchObject({ parent_slug: null });
  });

  it("have no parent if the slug is a built-in object property", () => {
    const slugs = ["constructor", "__proto__"];
    expect(slugs.map((slug) => toTag({ ...recorded, slug })["parent_slug"])).toEqual([null, null]);
  });

  it("are kept once if they move between pages, and a page repeated endlessly is an error", async () => {
    const feed = memoryFeed({ get: (_call, query) => [tag(1), tag(Math.min(2, Number(query.get("offset")) / 100))] });
    await expect(collect(polymarketTagsStream.pull(pullOptions(feed)))).rejects.toThrow(/same rows again/);
  });

  it("are all read from the paper exchange", async () => {
    const now = Date.UTC(2026, 10, 19);
    const small = { events: 10, wallets: 20, activity: 0.1, kalshi_markets: 1 };
    const world = createWorld({ seed: 3, clock: () => now, from_ms: now - 3_600_000, days: 1 / 24, ...small });
    const served = await servePolymarket({ world });
    const taken = await collect(polymarketTagsStream.pull(pullOptions(httpFeed(served.urls.gamma))));
    await served.close();
    expect(taken.of(polymarketTags).map((row) => row["tag_id"])).toEqual(world.polymarket.tags.map(({ id }) => id));
    for (const row of taken.of(polymarketTags))
      expect(row["parent_slug"]).toBe(tagParents.get(String(row["slug"])) ?? null);
  });
});
