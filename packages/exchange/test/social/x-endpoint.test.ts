import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { madePost, type MadeEndpoints, NOON, openEndpoints } from "./made-posts.ts";

const DAY = 86_400_000;

type Tweet = Record<string, unknown> & { id: string; text: string };
interface Page {
  data?: Tweet[];
  meta: { result_count: number; next_token?: string; newest_id?: string; oldest_id?: string };
  errors?: { message: string; parameters: Record<string, string[]> }[];
  title?: string;
  status?: number;
}

const old = madePost("x", 1, NOON - 8 * DAY, { text: "harbor bridge, long ago" });
const plain = madePost("x", 2, NOON - 6 * DAY, { text: "Harbor bridge & tunnel <soon>", likes: 9, reposts: 2 });
const answer = madePost("x", 3, NOON - 5 * DAY, {
  text: "no #HarborBridge",
  parent: plain,
  root: plain,
  link: "reply",
});
const hebrew = madePost("x", 4, NOON - 4 * DAY, { text: "harbor", langs: ["he"] });
const repeated = madePost("x", 5, NOON - 3 * DAY, { text: "RT @writer2: Harbor bridge" });
const gone = madePost("x", 6, NOON - 2 * DAY, { text: "harbor bridge gone", deleted_ms: NOON - DAY });
const news = madePost("x", 7, NOON - 15_000, { text: "harbor bridge now" });
const crowd = Array.from({ length: 250 }, (_, place) =>
  madePost("x", 100 + place, NOON - DAY + Math.floor(place / 2) * 1000, { text: `storm ${place}` }),
);
const made = [old, plain, answer, hebrew, repeated, gone, ...crowd, news];

let endpoints: MadeEndpoints;
beforeAll(async () => {
  endpoints = await openEndpoints(made);
});
afterAll(() => endpoints.served.close());

const get = (query: Record<string, string>, path = "/tweets/search/recent") => endpoints.get("x", path, query);

async function search(query: Record<string, string>): Promise<Page> {
  const { status, text } = await get(query);
  expect(status).toBe(200);
  return JSON.parse(text) as Page;
}

const ids = async (query: string) => (await search({ query })).data?.map(({ id }) => id) ?? [];

async function refused(query: Record<string, string>): Promise<string> {
  const { status, text } = await get(query);
  expect(status).toBe(400);
  const body = JSON.parse(text) as Page;
  expect(body.title).toBe("Invalid Request");
  return body.errors?.[0]?.message ?? "";
}

const of = (...posts: { rkey: string }[]) => posts.map(({ rkey }) => rkey);
const countStorms = async (more: Record<string, string>) =>
  (await search({ query: "storm", max_results: "100", ...more })).data?.length ?? 0;

describe("search", () => {
  test("returns the requested fields, newest first", async () => {
    const fields = "author_id,created_at,public_metrics,lang,referenced_tweets";
    const { data, meta } = await search({ query: "harbor OR harborbridge", "tweet.fields": fields });
    expect(data?.map(({ id }) => id)).toEqual([repeated, hebrew, answer, plain].map(({ rkey }) => rkey));
    expect(meta).toEqual({ result_count: 4, newest_id: repeated.rkey, oldest_id: plain.rkey });
    expect(data?.[3]).toEqual({
      id: plain.rkey,
      text: "Harbor bridge &amp; tunnel &lt;soon&gt;",
      edit_history_tweet_ids: [plain.rkey],
      author_id: plain.did,
      created_at: new Date(plain.created_ms).toISOString(),
      lang: "en",
      public_metrics: {
        like_count: 9,
        retweet_count: 2,
        reply_count: 0,
        quote_count: 0,
        bookmark_count: 0,
        impression_count: 0,
      },
    });
    expect(data?.[2]).toMatchObject({
      referenced_tweets: [{ type: "replied_to", id: plain.rkey }],
    });
    expect(data?.[1]?.["lang"]).toBe("iw");
  });

  test("returns only id, text and edit history if no fields are requested", async () => {
    const page = await search({ query: "storm", max_results: "100" });
    expect(Object.keys(page.data?.[0] ?? {}).toSorted()).toEqual(["edit_history_tweet_ids", "id", "text"]);
  });

  test("supports OR, quotes, parentheses, minus, lang and is:retweet", async () => {
    expect(await ids('"harbor bridge"')).toEqual(of(repeated, plain));
    expect(await ids('"bridge harbor"')).toEqual([]);
    expect(await ids("harbor bridge -is:retweet")).toEqual(of(plain));
    expect(await ids("(tunnel OR no) lang:en")).toEqual(of(answer, plain));
    expect(await ids("tunnel OR harbor lang:iw")).toEqual(of(hebrew, plain));
    expect(await ids("harbor -(tunnel OR lang:iw)")).toEqual(of(repeated));
  });

  test("omits data if nothing matches", async () => {
    expect(await search({ query: "nobody" })).toEqual({ meta: { result_count: 0 } });
  });

  test("returns every post once when paged by next_token", async () => {
    const seen: string[] = [];
    let page = await search({ query: "storm", max_results: "60" });
    for (let pages = 0; pages < 10; pages += 1) {
      seen.push(...(page.data ?? []).map(({ id }) => id));
      if (page.meta.next_token === undefined) break;
      page = await search({ query: "storm", max_results: "60", next_token: page.meta.next_token });
    }
    expect(seen).toEqual(crowd.map(({ rkey }) => rkey).toReversed());
  });

  test("continues below the post of a next_token after that post is deleted", async () => {
    const first = await search({ query: "storm", max_results: "10" });
    const last = made.find(({ rkey }) => rkey === first.meta.oldest_id);
    if (last === undefined) throw new Error("no such post");
    last.deleted_ms = NOON - 1;
    const next = await search({ query: "storm", max_results: "10", next_token: first.meta.next_token ?? "" });
    last.deleted_ms = null;
    expect(next.data?.map(({ id }) => id)).toEqual(
      crowd
        .slice(230, 240)
        .map(({ rkey }) => rkey)
        .toReversed(),
    );
  });

  test("restricts posts by since_id and until_id", async () => {
    const [low, high] = [crowd[100]?.rkey ?? "", crowd[105]?.rkey ?? ""];
    expect(await countStorms({ since_id: low, until_id: high })).toBe(4);
    expect(await countStorms({ since_id: crowd[240]?.rkey ?? "" })).toBe(9);
  });

  test("omits posts younger than half a minute", async () => {
    expect(await ids('"bridge now"')).toEqual([]);
  });
});

describe("an error", () => {
  test("for a since_id older than seven days names the limit", async () => {
    expect(await refused({ query: "harbor", since_id: old.rkey })).toMatch(
      /must be a tweet id created after 2026-09-03T12:00Z. Please use a 'since_id' that is larger than \d{19}/,
    );
  });

  test.each([
    [{ query: "" }, "empty"],
    [{ query: "x".repeat(513) }, "512"],
    [{ query: "lang:en -is:retweet" }, "standalone"],
    [{ query: "harbor OR -bridge" }, "standalone"],
    [{ query: "harbor until:2026" }, "Reference to invalid operator 'until'"],
    [{ query: "harbor is:polls" }, "Reference to invalid operator 'is:polls'"],
    [{ query: "harbor and bridge" }, "Ambiguous use of and"],
    [{ query: "(harbor" }, "missing ')'"],
    [{ query: "harbor)" }, "mismatched input ')'"],
    [{ query: 'harbor "bridge' }, "missing '\"'"],
    [{ query: "storm", max_results: "9" }, "is not between 10 and 100"],
    [{ query: "storm", max_results: "101" }, "is not between 10 and 100"],
    [{ query: "storm", next_token: "5" }, "next_token"],
    [{ query: "storm", "tweet.fields": "magic" }, "is not one of"],
    [{ query: "storm", expansions: "author_id" }, "[expansions] is not one of"],
    [{ query: "storm", since_id: "x" }, "does not match"],
  ])("for %j names the reason", async (query, message) => {
    expect(await refused(query)).toContain(message);
  });

  test("for a wrong token is 401, and for an unknown path 404", async () => {
    const { status, text } = await endpoints.get("x", "/tweets/search/recent", { query: "harbor" }, "other");
    expect(status).toBe(401);
    expect(JSON.parse(text)).toEqual({
      title: "Unauthorized",
      detail: "Unauthorized",
      type: "about:blank",
      status: 401,
    });
    expect((await get({}, "/users/me")).status).toBe(404);
  });
});

test("X reports how many requests are left, and returns 429 without Retry-After", async () => {
  const limited = await openEndpoints(made, true);
  const once = () => limited.get("x", "/tweets/search/recent", { query: "nobody" });
  try {
    const first = await once();
    expect(first.headers.get("x-rate-limit-limit")).toBe("450");
    expect(first.headers.get("x-rate-limit-remaining")).toBe("449");
    expect(first.headers.get("x-rate-limit-reset")).toBe(String((NOON + 900_000) / 1000));
    const allowed = await Promise.all(Array.from({ length: 449 }, once));
    expect(allowed.every(({ status }) => status === 200)).toBe(true);
    const refusal = await once();
    expect(refusal.status).toBe(429);
    expect(refusal.headers.get("retry-after")).toBeNull();
    expect(refusal.headers.get("x-rate-limit-remaining")).toBe("0");
    expect(JSON.parse(refusal.text)).toMatchObject({ title: "Too Many Requests", status: 429 });
    limited.clock.wall += 900_000;
    expect((await once()).status).toBe(200);
  } finally {
    await limited.served.close();
  }
});

test("X bills a post once per UTC day, and nothing for rejected requests", async () => {
  const billed = await openEndpoints(made);
  const once = (query: Record<string, string>) =>
    billed.get("x", "/tweets/search/recent", { query: "storm", ...query });
  try {
    await once({ max_results: "20" });
    await once({ max_results: "30" });
    await once({ max_results: "5" });
    const day = { day: "2026-09-10", requests: 2, posts_read: 30, cost_usd: "0.150" };
    expect(billed.served.meter.usage()).toEqual([day]);
    billed.clock.wall += DAY;
    await once({ max_results: "10" });
    expect(billed.served.meter.usage()).toEqual([
      day,
      { day: "2026-09-11", requests: 1, posts_read: 10, cost_usd: "0.050" },
    ]);
  } finally {
    await billed.served.close();
  }
});
