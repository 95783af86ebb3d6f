import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { SocialSource } from "../../src/world/social-contract.ts";
import { get, type OpenStorm, openStorm } from "../faults/open-storm.ts";

let storm: OpenStorm;
beforeAll(async () => {
  storm = await openStorm();
});
afterEach(() => storm.clear());
afterAll(() => storm.exchange.close());

const urls = () => storm.exchange.urls;

/** Posts created before `ms` that are not deleted by now. */
function truth(source: SocialSource, ms: number) {
  const { posts, reached } = storm.exchange.world;
  const now = reached();
  const isThere = (deleted: number | null) => deleted === null || deleted > now;
  return posts.filter((post) => post.source === source && post.created_ms < ms && isThere(post.deleted_ms));
}

async function hits(query = ""): Promise<Record<string, unknown>[]> {
  const url = `${urls().hn_url}/search_by_date?tags=(story,comment)&hitsPerPage=1000${query}`;
  return ((await (await fetch(url)).json()) as { hits: Record<string, unknown>[] }).hits;
}

interface XPage {
  data?: { id: string }[];
  meta: { next_token?: string };
}

async function search(query: string): Promise<Response> {
  const url = `${urls().x_url}/tweets/search/recent?query=${query.replaceAll(" ", "%20")}`;
  return fetch(url, { headers: { authorization: `Bearer ${urls().x_bearer_token}` } });
}

/** Matches words that most posts contain. */
const QUERY = "will OR the OR of OR is OR it";
const WORDS = /(?<![\p{L}\p{N}_])(will|the|of|is|it)(?![\p{L}\p{N}_])/iu;

/** Ids of at most `most` pages. */
async function walk(most: number): Promise<string[]> {
  const ids: string[] = [];
  let more = "";
  for (let pages = 0; pages < most; pages += 1) {
    const { data = [], meta } = (await (await search(`${QUERY}${more}`)).json()) as XPage;
    ids.push(...data.map(({ id }) => id));
    if (meta.next_token === undefined) break;
    more = `&next_token=${meta.next_token}`;
  }
  return ids;
}

const written = () =>
  truth("x", storm.exchange.world.reached() - 30_000)
    .filter(({ text }) => WORDS.test(text))
    .map(({ rkey }) => rkey)
    .toReversed();

test("Hacker News returns every undeleted story and comment of the world", async () => {
  const there = truth("hackernews", Infinity);
  expect(there.length).toBeGreaterThan(30);
  expect(there.length).toBeLessThan(1000);
  const found = await hits();
  expect(found.map((hit) => hit["objectID"])).toEqual(there.map(({ rkey }) => rkey).toReversed());
  const authors = new Map(found.map((hit) => [hit["objectID"], hit["author"]]));
  expect(there.every(({ rkey, handle }) => authors.get(rkey) === handle)).toBe(true);
});

test("GDELT returns the articles that contain a word, with their sites", async () => {
  const now = storm.exchange.world.reached();
  const { posts } = storm.exchange.world;
  const said = posts.filter(
    ({ source, text }) => source === "gdelt" && /(?<![\p{L}\p{N}_])will(?![\p{L}\p{N}_])/iu.test(text),
  );
  const seen = said.filter(({ created_ms }) => Math.ceil(created_ms / 900_000) * 900_000 <= now);
  expect(seen.length).toBeGreaterThan(5);
  const query = `query=will&mode=artlist&format=json&maxrecords=250&sort=datedesc`;
  const text = await (await fetch(`${urls().gdelt_url}?${query}`)).text();
  const found = [...text.matchAll(/"url":"https:\/\/([^/"]+)\/([^"]+)"/g)].map(([, site, path]) => `${site} ${path}`);
  expect(found).toEqual(seen.map(({ handle, rkey }) => `${handle} ${rkey}`).toReversed());
});

test("X returns every post of a query once over its pages, and the control port reports the bill", async () => {
  const all = written();
  expect(all.length).toBeGreaterThan(10);
  expect(await walk(50)).toEqual(all);
  const { days } = (await (await fetch(`${urls().control_url}/x/usage`)).json()) as {
    days: { posts_read: number; cost_usd: string }[];
  };
  expect(days.at(-1)).toMatchObject({ posts_read: all.length, cost_usd: (all.length / 200).toFixed(3) });
});

test("refuse returns 429 in each social endpoint's own format", async () => {
  await storm.set([{ kind: "refuse", endpoint: ["hackernews", "gdelt", "x"] }]);
  const [hackernews, gdelt, x] = await Promise.all([
    get(`${urls().hn_url}/search_by_date`),
    get(`${urls().gdelt_url}?query=harbor&format=json`),
    get(`${urls().x_url}/tweets/search/recent?query=harbor`),
  ]);
  expect([hackernews.status, gdelt.status, x.status]).toEqual([429, 429, 429]);
  expect(gdelt.text).toContain("one every 5 seconds");
  expect(JSON.parse(x.text)).toMatchObject({ title: "Too Many Requests", status: 429 });
  expect(x.headers["retry-after"]).toBeUndefined();
  expect(JSON.parse(hackernews.text)).toMatchObject({ status: 429 });
});

test("fail, garbage and half_body apply to the social endpoints", async () => {
  await storm.set([{ kind: "fail", endpoint: ["hackernews", "gdelt", "x"], statuses: [503] }]);
  expect(JSON.parse((await get(`${urls().x_url}/tweets/search/recent`)).text)).toMatchObject({ status: 503 });
  expect((await get(`${urls().gdelt_url}?query=harbor`)).status).toBe(503);
  await storm.set([{ kind: "garbage", endpoint: "gdelt" }]);
  expect((await get(`${urls().gdelt_url}?query=harbor`)).text).toContain("Just a moment");
  await storm.set([{ kind: "half_body", endpoint: "hackernews" }]);
  expect(await get(`${urls().hn_url}/search_by_date`)).toMatchObject({ status: 200, error: "ECONNRESET" });
});

test("duplicate_rows, drift, skip_page and repeat_page apply to the social endpoints", async () => {
  const plain = await hits("&page=0");
  await storm.set([{ kind: "duplicate_rows", endpoint: "hackernews" }]);
  expect(await hits()).toHaveLength(2 * plain.length);
  await storm.set([{ kind: "drift", endpoint: "hackernews", field: "created_at_i", change: "retype" }]);
  expect((await hits()).every((hit) => typeof hit["created_at_i"] === "string")).toBe(true);
  await storm.set([{ kind: "skip_page", endpoint: "hackernews", count: 1, page_rows: 5 }]);
  expect((await hits()).map((hit) => hit["objectID"])).toEqual(plain.slice(5, 10).map((hit) => hit["objectID"]));
  await storm.set([{ kind: "repeat_page", endpoint: "x", count: 1 }]);
  const all = written();
  expect((await walk(3)).slice(0, 20)).toEqual([...all.slice(0, 10), ...all.slice(0, 10)]);
});

test("a fault that changes rows leaves a body that is not JSON unchanged", async () => {
  await storm.set([{ kind: "drift", endpoint: "gdelt", field: "seendate", change: "remove" }]);
  const answer = await get(`${urls().gdelt_url}?query=will&mode=artlist&format=json&sort=datedesc`);
  expect(answer.status).toBe(200);
});
