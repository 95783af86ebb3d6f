import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { thoroughly } from "../../../../../scripts/vitest/test-levels.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { openTestQuery } from "../../fixtures/open-test-query.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { table } from "../../fixtures/sample-rows.ts";
import { socialPost } from "../../fixtures/social-rows.ts";
import { referencePulse } from "./reference-pulse.ts";

const HOUR = 3_600_000;
let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;
beforeAll(async () => {
  store = await openTestStore();
  query = openTestQuery(store);
});
afterAll(() => store.close());

const iso = (ms: number): string => new Date(ms).toISOString();
let used = 0;
/** Each test has its own year, so that none sees another's posts. */
const epoch = (): number => Date.UTC(2012 + used++, 0, 10);

const post = (at: number, body: string, change: InsertRow = {}): InsertRow => {
  const id = `at://${String(change["author"] ?? "did:plc:a")}/app.bsky.feed.post/${at}${body.length}`;
  return socialPost(0, { id, ts: iso(at), created_on: iso(at), author: "did:plc:a", body, sentiment: null, ...change });
};
const put = (name: string, rows: readonly InsertRow[]) => store.insert(table(name), rows);
const ask = (params: Record<string, string>, pagination: Record<string, unknown> = {}) =>
  query.rows(585, { params, pagination });

const crowded = (index: number): string => `did:plc:${"m".repeat(30)}${index}`;

const FIGURES = ["tweet_count", "acceleration", "author_diversity_pct", "pct_last_1h", "pct_last_6h"] as const;
const figuresOf = (row: Record<string, unknown> | undefined) =>
  Object.fromEntries(FIGURES.map((name) => [name, row?.[name]]));

describe("figures of a window", () => {
  test("are those of a hand-computed example", async () => {
    const to = epoch();
    await put("social_posts", [
      ...[5, 20, 59].map((minutes, index) =>
        post(to - minutes * 60_000, "NHL tonight", { author: `did:plc:${index}` }),
      ),
      ...[2, 3, 5].map((hours) => post(to - hours * HOUR, "more NHL", { author: "did:plc:0" })),
      ...[7, 8].map((hours) => post(to - hours * HOUR, "NHL again", { author: "did:plc:0" })),
    ]);
    const rows = await ask({ keywords: "NHL", as_of: iso(to) });
    // n = 8, n1 = 3: (3 + ½) / (8/12 + ½) = 3; 3 authors of 8; 3 of 8; 6 of 8.
    for (const row of rows)
      expect(figuresOf(row)).toEqual({
        tweet_count: 8,
        acceleration: "3.00",
        author_diversity_pct: "37.5",
        pct_last_1h: "37.5",
        pct_last_6h: "75.0",
      });
    expect(rows.length).toBe(8);
  });

  test("and its rows equal the TypeScript reference for random requests", { timeout: 300_000 }, async () => {
    const to = epoch();
    const bodies = [
      "NHL",
      "the nhl's best",
      "anhle",
      "Stanley Cup",
      "Stanley, cup",
      "stanley x cup",
      "Fed cut",
      "ünïcode Ärger",
    ];
    const posts = fc
      .sample(
        fc.record({
          at: fc.integer({ min: 0, max: 30 * 60 }),
          body: fc.array(fc.constantFrom(...bodies), { minLength: 1, maxLength: 3 }),
          author: fc.integer({ min: 0, max: 6 }),
          source: fc.constantFrom("bluesky", "hackernews", "gdelt", "x"),
        }),
        { numRuns: 160, seed: 7 },
      )
      .map(({ at, body, author, source }, index) =>
        post(to - at * 60_000, body.join(" … "), { source, author: `did:plc:${author}`, id: `p${index}` }),
      );
    const removals: InsertRow[] = [
      ...[3, 30, 90].map((index) => ({
        source: "bluesky",
        what: "record",
        id: `p${index}`,
        ts: iso(to),
        reason: "deleted",
      })),
      { source: "x", what: "author", id: "did:plc:2", ts: iso(to - 8 * HOUR), reason: "account" },
      { source: "gdelt", what: "author", id: "did:plc:3", ts: iso(to - 20 * HOUR), reason: "request" },
    ];
    await put("social_posts", posts);
    await put("social_removals", removals);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom("nhl", "NHL", "Stanley Cup", "fed CUT", "ärger", "anhle", "best"), {
          minLength: 1,
          maxLength: 3,
        }),
        fc.constantFrom(1, 6, 12, 29),
        fc.integer({ min: 0, max: 20 * 60 }),
        fc.option(fc.constantFrom("bluesky", "gdelt", "x"), { nil: undefined }),
        async (keywords, hours, back, source) => {
          const toMs = to - back * 60_000;
          const expected = referencePulse(posts, removals, { keywords, hours, toMs, ...(source ? { source } : {}) });
          const rows = await ask(
            {
              keywords: `{${keywords.join(",")}}`,
              hours_back: String(hours),
              as_of: iso(toMs),
              ...(source ? { source } : {}),
            },
            { limit: 1000 },
          );
          expect(rows.map(({ id }) => id)).toEqual(expected.ids);
          for (const row of rows) expect(figuresOf(row)).toEqual(expected.figures);
        },
      ),
      { numRuns: thoroughly(25, 10), seed: 11 },
    );
  });

  test("include the end of the window and exclude its start", async () => {
    const to = epoch();
    await put("social_posts", [
      post(to, "edge at the end"),
      post(to - 2 * HOUR, "edge at the begin"),
      post(to - 2 * HOUR + 1, "edge after the begin"),
      post(to + 1, "edge too late"),
    ]);
    const rows = await ask({ keywords: "edge", hours_back: "2", as_of: iso(to) });
    expect(rows.map(({ content }) => content)).toEqual(["edge at the end", "edge after the begin"]);
  });
});

describe("keywords", () => {
  test("match whole words in any letter case, and count a post with several of them once", async () => {
    const to = epoch();
    await put("social_posts", [
      post(to - 1, "anhle and nhlx"),
      post(to - 2, "#NHL: Stanley Cup's night, NHL, hockey"),
      post(to - 3, "Stanley  CUP"),
      post(to - 4, "Stanley's Cup"),
    ]);
    const rows = await ask({ keywords: "{NHL,hockey,Stanley Cup}", as_of: iso(to) });
    expect(rows.map(({ content }) => content)).toEqual(["#NHL: Stanley Cup's night, NHL, hockey", "Stanley  CUP"]);
    expect(rows[0]?.["tweet_count"]).toBe(2);
    expect(await ask({ keywords: "nothingsuch", as_of: iso(to) })).toEqual([]);
  });

  test("are limited in number and length, and refused without a letter", async () => {
    const many = Array.from({ length: 51 }, (_, index) => `w${index}`).join(",");
    for (const keywords of ["!!", "{nhl,🏒}", many, "x".repeat(101)])
      await expect(ask({ keywords })).rejects.toMatchObject({ code: "INVALID_PARAMS" });
    await expect(ask({})).rejects.toMatchObject({ code: "INVALID_PARAMS" });
    expect(await ask({ keywords: Array.from({ length: 50 }, (_, index) => `no such ${index}`).join(",") })).toEqual([]);
  });
});

describe("languages", () => {
  test("are selected by code or tag; other values are refused", async () => {
    const to = epoch();
    await put("social_posts", [post(to - 1, "spoken word"), post(to - 2, "spoken Wort", { lang: "de" })]);
    const said = async (lang: string) =>
      (await ask({ keywords: "spoken", as_of: iso(to), lang })).map(({ content }) => content);
    for (const lang of ["en", "EN", "en-GB", "en_US"]) expect(await said(lang)).toEqual(["spoken word"]);
    expect(await said("{DE,fr}")).toEqual(["spoken Wort"]);
    for (const lang of ["english", "e", "und", "en,german"])
      await expect(said(lang)).rejects.toMatchObject({ code: "INVALID_PARAMS" });
  });
});

describe("as of a past time", () => {
  test("reactions count up to that time, except those their source retracted", async () => {
    const to = epoch();
    const liked = post(to - HOUR, "liked post");
    const like = (n: number, at: number, kind = "like") => ({
      source: "bluesky",
      post_id: liked["id"],
      kind,
      ts: iso(at),
      id: `at://did:plc:fan${n}/app.bsky.feed.${kind}/${to}${n}`,
    });
    await put("social_posts", [liked, post(to - 2 * HOUR, "liked article", { source: "gdelt", id: `g${to}` })]);
    const likes = [like(1, to - 50), like(2, to - 40), like(3, to - 30), like(4, to - 20, "repost")];
    await put("social_reactions", likes);
    await put("social_removals", [
      { source: "bluesky", what: "record", id: likes[0]?.id, ts: iso(to), reason: "deleted" },
    ]);
    const [now] = await ask({ keywords: "liked", as_of: iso(to) });
    expect(now).toMatchObject({ like_count: 2, retweet_count: 1, reply_count: 0, quote_count: 0 });
    const [before, article] = await ask({ keywords: "liked", as_of: iso(to - 35) });
    expect(before).toMatchObject({ like_count: 1, retweet_count: 0 });
    expect(article).toMatchObject({ source: "gdelt", like_count: null, retweet_count: null });
  });

  test("posts list their markets, and can be filtered by market", async () => {
    const to = epoch();
    const about = post(to - HOUR, "about a market");
    const [one, other] = [`0x${"1".repeat(64)}`, `0x${"2".repeat(64)}`];
    const mention = (condition: string, gone = false) => ({
      condition_id: condition,
      ts: about["ts"],
      source: "bluesky",
      post_id: about["id"],
      author: about["author"],
      event_slug: "event",
      term: "market",
      is_gone: gone,
    });
    await put("social_posts", [about, post(to - HOUR - 1, "about no market")]);
    await put("social_mentions", [mention(one), mention(other)]);
    await put("social_mentions", [mention(other, true)]);
    const all = await ask({ keywords: "about", as_of: iso(to) });
    expect(all.map((row) => row["condition_ids"])).toEqual([[one], []]);
    const requested = await ask({ condition_id: one, as_of: iso(to) });
    expect(requested.map(({ content, tweet_count: count }) => [content, count])).toEqual([["about a market", 1]]);
    expect(await ask({ condition_id: other, as_of: iso(to) })).toEqual([]);
  });
});

describe("a walk over pages", () => {
  test("keeps its rows and figures while posts are added and changed", async () => {
    const to = epoch();
    const posts = Array.from({ length: 7 }, (_, index) =>
      post(to - index * 60_000, `walked ${index}`, { id: `w${to}${index}` }),
    );
    await put("social_posts", posts);
    const whole = await ask({ keywords: "walked", as_of: iso(to) });
    const seen: Record<string, unknown>[] = [];
    let cursor: string | null = null;
    for (let page = 0; ; page += 1) {
      const pagination = { limit: 2, ...(cursor === null ? {} : { cursor }) };
      const answer = await query.answer(585, { params: { keywords: "walked", as_of: iso(to) }, pagination });
      seen.push(...(JSON.parse(answer.body.toString("utf8")) as Record<string, unknown>[]));
      cursor = answer.nextCursor;
      if (cursor === null) break;
      await put("social_posts", [
        post(to - page * 60_000 - 30_000, `walked late ${page}`),
        { ...posts[page + 3], like_count: 5 + page },
        { ...posts[6], body: `something else ${page}` },
      ]);
    }
    expect(seen).toEqual(whole);
    const now = await ask({ keywords: "walked", as_of: iso(to) });
    expect(now.length).toBe(6 + 3);
  });

  test("omits a post as soon as it is removed", async () => {
    const to = epoch();
    const posts = [0, 1, 2].map((index) => post(to - index, `removed ${index}`, { id: `r${to}${index}` }));
    await put("social_posts", posts);
    const params = { keywords: "removed", as_of: iso(to) };
    const first = await query.answer(585, { params, pagination: { limit: 1 } });
    await put("social_removals", [
      { source: "bluesky", what: "record", id: posts[1]?.["id"], ts: iso(to), reason: "deleted" },
    ]);
    const rest = await query.rows(585, { params, pagination: { limit: 5, cursor: first.nextCursor } });
    expect(rest.map(({ content }) => content)).toEqual(["removed 2"]);
  });
});

describe("pending removals", () => {
  test("are all hidden, however many posts and authors of a window they cover", async () => {
    const [to, count] = [epoch(), 1500];
    const posts = Array.from({ length: 2 * count + 2 }, (_, index) =>
      post(to - index * 1000, `manifold ${index}`, { author: crowded(index) }),
    );
    await put("social_posts", posts);
    const removal = (what: "record" | "author", id: unknown, at: number): InsertRow => ({
      source: "bluesky",
      what,
      id,
      ts: iso(at),
      reason: what === "record" ? "deleted" : "account",
    });
    await put("social_removals", [
      ...posts.slice(0, count).map(({ id }) => removal("record", id, to)),
      ...Array.from({ length: count }, (_, index) => removal("author", crowded(count + index), to)),
      // An author who posted after the account was removed is back.
      removal("author", crowded(2 * count), to - HOUR),
    ]);
    const rows = await ask({ keywords: "manifold", as_of: iso(to) });
    expect(rows.map((row) => [row["content"], row["tweet_count"]])).toEqual(
      [2 * count, 2 * count + 1].map((index) => [`manifold ${index}`, 2]),
    );
  });
});
