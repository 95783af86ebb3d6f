import { describe, expect, it } from "vitest";
import { xPostsStream } from "../../../src/connectors/x/posts.ts";
import { idAt, priceOf, searchWire, toPost } from "../../../src/connectors/x/search/found-posts.ts";
import { toQueries } from "../../../src/connectors/x/search/query-rotation.ts";
import type { Cursor } from "../../../src/definition/connector.ts";
import { socialPosts } from "../../../src/tables/social-posts.ts";
import { collect, memoryFeed, pullOptions } from "../polymarket/memory-feed.ts";

const post = {
  id: "1966000000000000000",
  text: "A &amp; B &lt; C &amp;amp; D",
  author_id: "77",
  created_at: "2026-09-10T12:00:00.123Z",
  lang: "iw",
  edit_history_tweet_ids: ["1966000000000000000"],
};
const meta = { result_count: 1, newest_id: post.id, oldest_id: post.id };

describe("a search of X", () => {
  it("has no data if nothing was found, and must have data if the count is not zero", () => {
    expect(searchWire.parse({ meta: { result_count: 0 } })).toEqual({ meta: { result_count: 0 } });
    expect(searchWire.safeParse({ meta }).success).toBe(false);
    expect(searchWire.safeParse({ data: [post], meta: { result_count: 1 } }).success).toBe(false);
  });

  it("is read in both vocabularies, with language codes normalised", () => {
    const tweet = { ...post, public_metrics: { retweet_count: 3, reply_count: 1, like_count: 9, quote_count: 2 } };
    const named = {
      ...post,
      lang: "in",
      public_metrics: { repost_count: 4 },
      referenced_posts: [{ type: "quoted", id: "5" }],
    };
    const { data = [] } = searchWire.parse({ data: [tweet, named, { ...post, lang: "qme" }], meta });
    const common = { source: "x", author: "77", username: "77", body: "A & B < C &amp; D" };
    expect(data.map(toPost)).toMatchObject([
      { ...common, lang: "he", retweet_count: 3, reply_count: 1, like_count: 9, quote_count: 2, parent: "" },
      { ...common, lang: "id", retweet_count: 4, like_count: 0, parent: "5" },
      { ...common, lang: "", url: "https://x.com/i/web/status/1966000000000000000" },
    ]);
    expect(
      toPost(
        data[0] ??
          (() => {
            throw new Error("no post");
          })(),
      )["ts"],
    ).toBe("2026-09-10T12:00:00.123Z");
  });

  it("is billed by what it returns: every post counts, even an unreadable one", () => {
    const { maxMicro, billedMicro } = priceOf(100);
    expect(maxMicro).toBe(500_000);
    expect(billedMicro({ data: [post, { strange: true }], meta })).toBe(10_000);
    expect(billedMicro({ meta: { result_count: 0 } })).toBe(0);
    expect(billedMicro({ meta: { result_count: 3 } })).toBeUndefined();
    expect(billedMicro("gone")).toBeUndefined();
  });

  it("derives post ids from timestamps", () => {
    const timestamp = Date.UTC(2026, 8, 10);
    expect((idAt(timestamp) >> 22n) + 1_288_834_974_657n).toBe(BigInt(timestamp));
    expect(idAt(0)).toBe(0n);
  });
});

describe("search queries", () => {
  it("contain as many phrases as fit into 512 characters, and are four at most", () => {
    const terms = Array.from({ length: 200 }, (_, index) => `Candidate Number ${index}`);
    const queries = toQueries(terms);
    expect(queries).toHaveLength(4);
    for (const query of queries) {
      expect(query.length).toBeLessThanOrEqual(512);
      expect(query).toMatch(/^\("Candidate Number \d+"( OR "Candidate Number \d+")+\) lang:en -is:retweet$/);
    }
    const held = queries.flatMap((query) => [...query.matchAll(/Number (\d+)"/g)].map(([, number]) => Number(number)));
    expect(held).toEqual(held.map((_, index) => index));
  });

  it("are not built without terms, and drop characters that would end a phrase", () => {
    expect(toQueries([])).toEqual([]);
    expect(toQueries(["--", 'a "b" c\\', "x".repeat(600)])).toEqual(['("a b c") lang:en -is:retweet']);
  });
});

const iso = (ms: number): string => new Date(ms).toISOString();
const idOf = (ms: number): string => String(idAt(ms));
const onlyPost = (one: string, more: object = {}) => ({
  data: [{ ...post, id: one }],
  meta: { result_count: 1, newest_id: one, oldest_id: one, ...more },
});

describe("the walk", () => {
  const NOW = Date.UTC(2026, 10, 20);
  const HOUR = 3_600_000;

  it("lets other queries run after one that uses all the money, and continues where it was", async () => {
    const last = idOf(NOW - 60_000);
    let money = 0;
    const feed = memoryFeed({
      get: () => {
        money = 0;
        return {
          data: [{ ...post, id: last }],
          meta: { result_count: 1, newest_id: last, oldest_id: last, next_token: "more" },
        };
      },
    });
    const terms = Array.from({ length: 200 }, (_, index) => `Candidate Number ${index}`);
    const given = { now: () => NOW, known: async () => terms, spendable: async () => money };
    let cursor: Cursor | undefined;
    for (let cycle = 0; cycle < 5; cycle += 1) {
      money = 50_000;
      ({ cursor } = await collect(xPostsStream.pull(pullOptions(feed, { ...given, cursor }))));
    }
    const requested = feed.calls.map(({ query }) => query.get("query"));
    expect(requested).toEqual([...toQueries(terms), toQueries(terms)[0]]);
    expect(feed.calls.map(({ query }) => query.get("until_id"))).toEqual([null, null, null, null, last]);
  });

  it("goes on behind a page without posts that names another one", async () => {
    const [newer, older] = [idOf(NOW - 60_000), idOf(NOW - 120_000)];
    const feed = memoryFeed({
      get: (_call, query) => {
        if (query.get("next_token") === "b") return onlyPost(newer, { next_token: "c" });
        if (query.has("until_id") && query.has("next_token")) return onlyPost(older);
        return { meta: { result_count: 0, next_token: query.has("next_token") ? "b" : "a" } };
      },
    });
    const given = { now: () => NOW, known: async () => ["Jane Doe"], spendable: async () => 50_000 };
    const { batches, cursor, of } = await collect(xPostsStream.pull(pullOptions(feed, given)));
    expect(of(socialPosts).map(({ id }) => id)).toEqual([newer, older]);
    expect(feed.calls.map(({ query }) => [query.get("until_id"), query.get("next_token")])).toEqual([
      [null, null],
      [null, "a"],
      [null, "b"],
      [newer, null],
      [newer, "a"],
    ]);
    expect(cursor).toMatchObject({ since_0: newer, until_0: null, newest_0: null });
    expect(batches.map(({ reached }) => reached)).toEqual([...Array<undefined>(4), iso(NOW - 30_000)]);
  });

  it("searches the time again in which posts could not be searched yet, and nothing before it", async () => {
    const late = { ...post, id: idOf(NOW - 20_000), created_at: iso(NOW - 20_000) };
    const newest = { ...post, id: idOf(NOW - 5000), created_at: iso(NOW - 5000) };
    let listed = [newest];
    const feed = memoryFeed({
      get: (_call, query) => {
        const data = listed.filter(({ id }) => BigInt(id) > BigInt(query.get("since_id") ?? 0));
        const [first, last] = [data[0]?.id, data.at(-1)?.id];
        return data.length === 0
          ? { meta: { result_count: 0 } }
          : { data, meta: { result_count: data.length, newest_id: first, oldest_id: last } };
      },
    });
    const cycle = (cursor: Cursor | undefined, now: number) => {
      const given = { cursor, now: () => now, known: async () => ["Jane Doe"], spendable: async () => 50_000 };
      return collect(xPostsStream.pull(pullOptions(feed, given)));
    };
    const first = await cycle(undefined, NOW);
    expect(first.batches.at(-1)).toMatchObject({ reached: iso(NOW - 30_000) });
    listed = [newest, late];
    const second = await cycle(first.cursor, NOW + 60_000);
    expect(second.of(socialPosts).map(({ id }) => id)).toEqual([newest.id, late.id]);
    const third = await cycle(second.cursor, NOW + 120_000);
    expect(third.of(socialPosts)).toEqual([]);
    // A clock that is an hour slow does not make it search, and pay for, that hour each time.
    const slow = await cycle(undefined, NOW - 3_600_000);
    expect(slow.cursor).toMatchObject({ since_0: idOf(NOW - 35_000) });
  });

  it("abandons a query that was paused until its rest went out of reach, and reports the gap", async () => {
    const feed = memoryFeed({ get: () => ({ meta: { result_count: 0 } }) });
    const cursor = {
      group: 0,
      since_0: idOf(NOW - 9 * 24 * HOUR),
      until_0: idOf(NOW - 8 * 24 * HOUR),
      newest_0: idOf(NOW - 7 * 24 * HOUR),
      through_0: iso(NOW - 9 * 24 * HOUR),
    };
    const given = { cursor, now: () => NOW, known: async () => ["Jane Doe"], spendable: async () => 50_000 };
    const { batches } = await collect(xPostsStream.pull(pullOptions(feed, given)));
    const oldest = NOW - 7 * 24 * HOUR + HOUR;
    expect(feed.calls.map(({ query }) => [query.get("since_id"), query.get("until_id")])).toEqual([
      [idOf(oldest), null],
    ]);
    expect(batches.at(-1)).toMatchObject({
      cursor: { group: 1, until_0: null, newest_0: null },
      reached: iso(NOW - 30_000),
      gap: { from: iso(NOW - 9 * 24 * HOUR), to: iso(oldest) },
      isCaughtUp: true,
    });
  });

  it("reports the range out of reach even while another query was never read", async () => {
    const feed = memoryFeed({ get: () => ({ meta: { result_count: 0 } }) });
    const terms = Array.from({ length: 200 }, (_, index) => `Candidate Number ${index}`);
    const [before, oldest] = [NOW - 8 * 24 * HOUR, NOW - 7 * 24 * HOUR + HOUR];
    const places = [0, 1, 2].map((group) => ({
      [`since_${group}`]: idOf(before),
      [`through_${group}`]: iso(before),
    }));
    let cursor: Cursor | undefined = Object.assign({ group: 0 }, ...places) as Cursor;
    const reported: unknown[] = [];
    for (let cycle = 0; cycle < 4; cycle += 1) {
      const given = { cursor, now: () => NOW, known: async () => terms, spendable: async () => 50_000 };
      const taken = await collect(xPostsStream.pull(pullOptions(feed, given)));
      cursor = taken.cursor;
      reported.push(taken.batches.map(({ gap, reached }) => [gap?.from, gap?.to, reached]).at(-1));
    }
    const hole = [iso(before), iso(oldest), undefined];
    expect(reported).toEqual([hole, hole, hole, [undefined, undefined, iso(NOW - 30_000)]]);
  });
});
