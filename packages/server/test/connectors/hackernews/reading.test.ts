import { afterEach, describe, expect, it } from "vitest";
import { madePost, NOON } from "../../../../exchange/test/social/made-posts.ts";
import type { Post } from "../../../../exchange/src/world/social-contract.ts";
import { hackernewsPostsStream } from "../../../src/connectors/hackernews/posts.ts";
import { hackernewsRecheckStream } from "../../../src/connectors/hackernews/recheck.ts";
import { hitsWire, plainText, toPost } from "../../../src/connectors/hackernews/search/hit-posts.ts";
import { type SliceStep, walkSlices } from "../../../src/connectors/hackernews/search/walk-slices.ts";
import { collect, memoryFeed, pullOptions } from "../polymarket/memory-feed.ts";
import { httpFeed } from "../kalshi/http-feed.ts";
import { runPull } from "../kalshi/run-pull.ts";
import { type Endpoints, openEndpoints } from "./open-endpoints.ts";

const SECOND = NOON / 1000;
const signal = new AbortController().signal;
let endpoints: Endpoints;
afterEach(async () => endpoints?.close());

const open = async (posts: Post[]) => {
  endpoints = await openEndpoints(posts, NOON);
  return httpFeed(endpoints.served.hn_url);
};
const crowd = (count: number, ms: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => madePost("hackernews", index, ms(index))).sort(
    (a, b) => a.created_ms - b.created_ms,
  );

describe("the text of a post", () => {
  it("has paragraphs, complete URLs and decoded entities, and no markup", () => {
    const html =
      'I&#x27;d say 5 &lt; 6 &amp; so on.<p>See <a href="https:&#x2F;&#x2F;example.com&#x2F;a&#x2F;long" rel="nofollow">https:&#x2F;&#x2F;example.com&#x2F;a...</a> <i>please</i><p><pre><code>  x = 1\n  y = 2\n</code></pre>';
    expect(plainText(html)).toBe("I'd say 5 < 6 & so on.\n\nSee https://example.com/a/long please\n\n  x = 1\n  y = 2");
    expect(plainText('<script>alert("x")</script>hello')).not.toContain("<");
  });

  it("is title plus text for a story, and the text for a comment, which also names its parent", () => {
    const common = { created_at_i: SECOND, _tags: [], author: "ann" };
    const story = {
      ...common,
      objectID: "1",
      title: "Ask HN: Odds?",
      story_text: "Why<p>not",
      points: 7,
      num_comments: 3,
    };
    const comment = { ...common, objectID: "2", comment_text: "No.", parent_id: 1, story_id: 1, points: null };
    const bare = { ...common, objectID: "3", comment_text: null, story_id: 1, points: -2 };
    const { hits } = hitsWire.parse({ hits: [story, comment, bare], nbHits: 3, nbPages: 1, page: 0 });
    expect(hits.map(toPost)).toMatchObject([
      { id: "1", body: "Ask HN: Odds?\n\nWhy\n\nnot", parent: "", like_count: 7, reply_count: 3, author: "ann" },
      { id: "2", body: "No.", parent: "1", like_count: 0, url: "https://news.ycombinator.com/item?id=2" },
      { id: "3", body: "", like_count: 0 },
    ]);
    expect(hits.map((hit) => toPost(hit)["ts"])).toEqual(Array.from({ length: 3 }, () => "2026-09-10T12:00:00.000Z"));
  });

  it("is required: a hit with neither text field is refused", () => {
    const hit = { objectID: "1", created_at_i: SECOND, _tags: [], author: "ann", text: "renamed" };
    expect(hitsWire.safeParse({ hits: [hit], nbHits: 1, nbPages: 1, page: 0 }).success).toBe(false);
  });
});

describe("the walk by time slices", () => {
  it("halves a slice that holds more than one query returns, and yields each post once", async () => {
    const feed = await open(crowd(2600, (index) => NOON - 3600_000 + Math.floor(index / 3) * 1000));
    const ids: string[] = [];
    const widths: number[] = [];
    for await (const step of walkSlices({ feed, signal }, { from: SECOND - 3600, to: SECOND }, 3600)) {
      expect(step.isSure).toBe(true);
      widths.push(step.slice.to - step.slice.from);
      ids.push(...step.hits.map(({ objectID }) => objectID));
    }
    expect(ids.length).toBe(2600);
    expect(new Set(ids).size).toBe(2600);
    expect(Math.max(...widths)).toBeLessThan(3600);
  });

  it("reports a second with more than a thousand posts as incomplete", async () => {
    const feed = await open(crowd(1100, () => NOON - 5000));
    const steps: SliceStep[] = [];
    for await (const step of walkSlices({ feed, signal }, { from: SECOND - 60, to: SECOND }, 60)) steps.push(step);
    const full = steps.filter(({ reported }) => reported.gap);
    expect(full).toHaveLength(1);
    expect(full[0]?.hits).toHaveLength(1000);
    expect(full[0]?.reported.gap).toMatchObject({ from: "2026-09-10T11:59:55.000Z", to: "2026-09-10T11:59:56.000Z" });
    expect(full[0]?.isSure).toBe(false);
  });

  it.each([undefined, { from: new Date(NOON - 100_000).toISOString(), to: new Date(NOON).toISOString() }])(
    "records a gap where a reply has fewer posts than it counts (range %j)",
    async (range) => {
      const hit = { objectID: "1", created_at_i: SECOND - 50, _tags: [], author: "ann", title: "One of two" };
      const feed = memoryFeed({ get: () => ({ hits: [hit], nbHits: 2, nbPages: 1, page: 0 }) });
      const given = { now: () => NOON, ...(range ? { range } : { cursor: { last: SECOND - 30 } }) };
      const { batches } = await collect(hackernewsPostsStream.pull(pullOptions(feed, given)));
      const [from, to] = range ? [SECOND - 100, SECOND] : [SECOND - 330, SECOND + 1];
      expect(batches.flatMap(({ gap }) => gap ?? [])).toMatchObject([
        { from: new Date(from * 1000).toISOString(), to: new Date(to * 1000).toISOString() },
      ]);
    },
  );

  it("continues after a stop from its cursor, and reports up to when it is complete", async () => {
    const feed = await open(crowd(900, (index) => NOON - 9000_000 + index * 10_000));
    const first = await runPull(hackernewsPostsStream, feed, { now: () => NOON - 7200_000 });
    expect(first.batches[0]).toMatchObject({ since: "2026-09-10T09:00:00.000Z" });
    expect(first.batches.at(-2)).toMatchObject({ reached: "2026-09-10T09:59:30.000Z" });
    const second = await runPull(hackernewsPostsStream, feed, { now: () => NOON, cursor: first.last?.cursor });
    const ids = new Set([...first.rows, ...second.rows].map(({ id }) => id));
    expect(ids.size).toBe(900);
    expect(second.batches.at(-2)?.reached).toBe("2026-09-10T11:59:30.000Z");
    expect(second.last).toMatchObject({ rows: [], cursor: { last: SECOND }, isCaughtUp: true });
    const reached = second.batches.flatMap((batch) => batch.reached ?? []);
    expect(reached).toEqual(reached.toSorted());
  });

  it("continues if its cursor was saved while this machine's clock was ahead", async () => {
    const feed = await open(crowd(100, (index) => NOON - 3000_000 + index * 30_000));
    const given = { now: () => NOON, cursor: { last: SECOND + 7200 } };
    const { rows, last, batches } = await runPull(hackernewsPostsStream, feed, given);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(100);
    expect(batches.at(-2)?.reached).toBe("2026-09-10T11:59:30.000Z");
    expect(last?.cursor).toEqual({ last: SECOND });
  });

  it("checks again what was due if its places were saved while this machine's clock was ahead", async () => {
    const feed = await open(crowd(100, (index) => NOON - 6000_000 + index * 20_000));
    const given = { now: () => NOON, cursor: { hour: SECOND + 1800, day: SECOND - 79_200 } };
    const { rows, last } = await runPull(hackernewsRecheckStream, feed, given);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(100);
    expect(last?.cursor).toEqual({ hour: SECOND - 3600, day: SECOND - 86_400 });
  });

  it("walks a past range from its beginning, and continues from its middle", async () => {
    const feed = await open(crowd(3000, (index) => NOON - 3000_000 + index * 1000));
    const range = { from: new Date(NOON - 2000_500).toISOString(), to: new Date(NOON - 500_000).toISOString() };
    const whole = await runPull(hackernewsPostsStream, feed, { range, now: () => NOON });
    expect(new Set(whole.rows.map(({ id }) => id)).size).toBe(1501);
    const cut = whole.batches[0]?.cursor;
    const rest = await runPull(hackernewsPostsStream, feed, { range, now: () => NOON, ...(cut && { cursor: cut }) });
    expect(rest.rows).toHaveLength(1501 - (whole.batches[0]?.rows[0]?.rows.length ?? 0));
  });
});
