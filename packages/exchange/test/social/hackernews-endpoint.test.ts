import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Post } from "../../src/world/social-contract.ts";
import { madePost, type MadeEndpoints, NOON, openEndpoints } from "./made-posts.ts";

type Hit = Record<string, unknown> & { objectID: string; created_at_i: number };
interface Page {
  hits: Hit[];
  nbHits: number;
  nbPages: number;
  page: number;
  message?: string;
}

const HOURS = 3_600_000;
const all = { tags: "(story,comment)" };
const story = madePost("hackernews", 0, NOON - 50 * HOURS, { text: "Kalshi lists rain", likes: 12, replies: 2 });
const ask = madePost("hackernews", 1, NOON - 49 * HOURS, { text: 'Ask HN: odds?\nIs "60/40" fair & square?' });
const comment = madePost("hackernews", 2, NOON - 48 * HOURS, {
  text: "It's <b>true</b>.\n\nSee https://weather.example/a/very/long/path/that/goes/on/and/on/for/ever/and/ever?x=1&y=2",
  parent: story,
  root: story,
  link: "reply",
  likes: 5,
});
const deep = madePost("hackernews", 3, NOON - 47 * HOURS, { text: "no", parent: comment, root: story, link: "reply" });
const gone = madePost("hackernews", 4, NOON - 46 * HOURS, { text: "regret", deleted_ms: NOON + 1000, parent: story });
const other = madePost("bluesky", 5, NOON - 45 * HOURS, { text: "Kalshi lists rain" });
// 2,400 more, five a second.
const crowd = Array.from({ length: 2400 }, (_, place) =>
  madePost("hackernews", 10 + place, NOON - HOURS + place * 200, place % 3 === 0 ? {} : { parent: story }),
);

let endpoints: MadeEndpoints;
beforeAll(async () => {
  endpoints = await openEndpoints([story, ask, comment, deep, gone, other, ...crowd]);
});
afterAll(() => endpoints.served.close());

async function read(query: Record<string, string>): Promise<Page> {
  const { status, text } = await endpoints.get("hn", "/search_by_date", query);
  expect(status).toBe(200);
  return JSON.parse(text) as Page;
}

const before = (ms: number) => `created_at_i<${Math.ceil(ms / 1000)}`;
const few = { ...all, numericFilters: before(NOON - 40 * HOURS) };

const count = async (query: Record<string, string>) => (await read(query)).nbHits;

describe("search_by_date", () => {
  test("returns stories and comments newest first, each with its own fields", async () => {
    const page = await read(few);
    expect(page).toMatchObject({ nbHits: 5, nbPages: 1, page: 0 });
    expect(page.hits.map((hit) => hit.objectID)).toEqual(["40000004", "40000003", "40000002", "40000001", "40000000"]);
    const [, fourth, third, second, first] = page.hits;
    expect(first).toMatchObject({
      title: "Kalshi lists rain",
      author: story.handle,
      points: 12,
      num_comments: 2,
      story_id: 40_000_000,
      created_at_i: story.created_ms / 1000,
      _tags: ["story", `author_${story.handle}`, "story_40000000"],
    });
    expect(first?.["url"]).toMatch(/^https:/);
    expect(second).toMatchObject({
      title: "Ask HN: odds?",
      story_text: "Is &quot;60&#x2F;40&quot; fair &amp; square?",
    });
    expect(second).not.toHaveProperty("url");
    expect(third).toMatchObject({ parent_id: 40_000_000, story_id: 40_000_000, points: null });
    expect(fourth).toMatchObject({ parent_id: 40_000_002, story_title: "Kalshi lists rain" });
  });

  test("formats comments as HTML: entities, paragraphs, shortened links", async () => {
    const { hits } = await read(few);
    const url =
      "https:&#x2F;&#x2F;weather.example&#x2F;a&#x2F;very&#x2F;long&#x2F;path&#x2F;that&#x2F;goes&#x2F;on&#x2F;and&#x2F;on";
    expect(hits[2]?.["comment_text"]).toBe(
      `It&#x27;s &lt;b&gt;true&lt;&#x2F;b&gt;.<p>See <a href="${url}&#x2F;for&#x2F;ever&#x2F;and&#x2F;ever?x=1&amp;y=2" rel="nofollow">${url}...</a>`,
    );
  });

  test("filters by creation time", async () => {
    const edge = Math.floor(comment.created_ms / 1000);
    expect(await count({ ...few, numericFilters: `created_at_i>=${edge},${before(NOON - 40 * HOURS)}` })).toBe(3);
    expect(await count({ ...few, numericFilters: `created_at_i<${edge}` })).toBe(2);
  });

  test("reaches only 1,000 hits by paging, and all of them by time slices", async () => {
    const first = await read({ ...all, hitsPerPage: "1000" });
    expect(first).toMatchObject({ nbHits: 2405, nbPages: 1 });
    expect(first.hits).toHaveLength(1000);
    const second = await read({ ...all, hitsPerPage: "1000", page: "1" });
    expect(second).toMatchObject({ hits: [], nbHits: 0 });
    expect(second.message).toContain("1000 hits");
    expect((await read({ ...all, hitsPerPage: "5000" })).hits).toHaveLength(1000);
    expect((await read({ ...all, hitsPerPage: "300", page: "3" })).hits).toHaveLength(100);
    expect((await read({ ...all, hitsPerPage: "0" })).nbHits).toBe(2405);
    expect(await walk()).toEqual(idsOf(endpoints.posts));
  });

  test("omits a deleted item, and returns the current counts of the others", async () => {
    endpoints.clock.now = NOON + 2000;
    story.likes = 13;
    const page = await read(few);
    expect(page.hits.map((hit) => hit.objectID)).not.toContain("40000004");
    expect(page.hits.at(-1)).toMatchObject({ points: 13 });
    endpoints.clock.now = NOON;
  });
});

/** Walks from newest to oldest, bounding each page by the second of the last hit. */
async function walk(): Promise<string[]> {
  const seen = new Set<string>();
  for (let edge = NOON / 1000, pages = 0; pages < 20; pages += 1) {
    const { hits } = await read({ ...all, hitsPerPage: "1000", numericFilters: `created_at_i<${edge + 1}` });
    for (const { objectID } of hits) seen.add(objectID);
    const last = hits.at(-1);
    if (last === undefined || hits.length < 1000) return [...seen].toSorted();
    edge = last.created_at_i;
  }
  throw new Error("the walk never ended");
}

function idsOf(posts: readonly Post[]): string[] {
  return posts
    .filter(({ source }) => source === "hackernews")
    .map(({ rkey }) => rkey)
    .toSorted();
}

test("invalid and unsupported parameters are rejected with 400, other paths with 404", async () => {
  for (const query of [
    { numericFilters: "points>=5" },
    { tags: "story" },
    { query: "rain" },
    { page: "-1" },
    { hitsPerPage: "x" },
  ])
    expect((await endpoints.get("hn", "/search_by_date", query)).status).toBe(400);
  expect((await endpoints.get("hn", "/items/1")).status).toBe(404);
});
