import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Held } from "../../../src/definition/coverage.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { openTestQuery } from "../../fixtures/open-test-query.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { table } from "../../fixtures/sample-rows.ts";
import { socialPost } from "../../fixtures/social-rows.ts";

const MINUTE = 60_000;
const START = Date.UTC(2025, 5, 1, 12);
const iso = (ms: number): string => new Date(ms).toISOString();

let held: Held = {};
let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;

const said = (minutes: number, body: string, change: InsertRow = {}): InsertRow =>
  socialPost(0, {
    id: `v${minutes}${body}`,
    ts: iso(START + minutes * MINUTE),
    created_on: iso(START + minutes * MINUTE),
    body,
    author: "a",
    sentiment: null,
    ...change,
  });

beforeAll(async () => {
  store = await openTestStore();
  query = openTestQuery(store, Date.now, () => Promise.resolve(held));
  await store.insert(table("social_posts"), [
    said(1, "volume", { sentiment: "0.5", stance: "buy_yes" }),
    said(2, "volume again", { author: "b", sentiment: "-0.2", stance: "down" }),
    said(3, "volume more", { sentiment: "0.3", stance: "up", source: "x", like_count: 3, retweet_count: 2 }),
    said(16, "volume later", { sentiment: "0" }),
    said(17, "nothing asked for"),
  ]);
  await store.insert(table("social_reactions"), [
    { source: "bluesky", post_id: "v1volume", kind: "like", ts: iso(START + 4 * MINUTE), id: "at://did:plc:z/l/1" },
    { source: "bluesky", post_id: "v1volume", kind: "quote", ts: iso(START + 90 * MINUTE), id: "at://did:plc:z/q/1" },
  ]);
});
afterAll(() => store.close());

const ask = (params: Record<string, string>, pagination: Record<string, unknown> = {}) =>
  query.rows(1007, {
    params: {
      keywords: "volume",
      interval: "5m",
      start_time: iso(START),
      end_time: iso(START + 24 * MINUTE),
      ...params,
    },
    pagination,
  });
const ever = { from: Number.NEGATIVE_INFINITY, to: START + 1000 * MINUTE };

describe("social volume", () => {
  test("has a row for each bucket with its figures, and zeros for a bucket without posts", async () => {
    held = { bluesky: [ever], hackernews: [ever], gdelt: [ever], x: [ever] };
    const rows = await ask({});
    expect(rows.map(({ bucket }) => bucket)).toEqual(
      [0, 5, 10, 15, 20].map((at) => iso(START + at * MINUTE).replace(".000", "")),
    );
    expect(rows.map(({ posts }) => posts)).toEqual([3, 0, 0, 1, 0]);
    expect(rows.map((row) => row["bucket_seconds"])).toEqual([300, 300, 300, 300, 240]);
    expect(rows.every((row) => row["is_whole"] === true && row["covered_seconds"] === row["bucket_seconds"])).toBe(
      true,
    );
    expect(rows[0]).toEqual({
      bucket: iso(START).replace(".000", ""),
      bucket_seconds: 300,
      covered_seconds: 300,
      sources_down: [],
      is_whole: true,
      posts: 3,
      authors: 3,
      author_diversity_pct: "100.0",
      // (3 · 12 + ½) / ½, then (0 + ½) / (36 + ½)
      acceleration: "73.00",
      sentiment_mean: "0.2000",
      sentiment_balance: 1,
      buy_yes: 1,
      buy_no: 0,
      up: 1,
      down: 1,
      // a like, three likes and two reposts; the quote came later
      engagement: 8,
    });
    expect(rows[1]).toMatchObject({
      authors: 0,
      author_diversity_pct: null,
      acceleration: "0.01",
      sentiment_mean: null,
      engagement: 0,
    });
    expect(rows[3]).toMatchObject({ sentiment_mean: "0.0000", sentiment_balance: 0, acceleration: "25.00" });
    expect(rows[4]).toMatchObject({ acceleration: "0.04" });
  });

  test("distinguishes buckets without coverage (null) from buckets without posts (0)", async () => {
    held = {
      bluesky: [
        { from: START, to: START + 5 * MINUTE },
        { from: START + 12 * MINUTE, to: START + 60 * MINUTE },
      ],
    };
    const rows = await ask({ source: "bluesky" });
    expect(rows.map((row) => row["covered_seconds"])).toEqual([300, 0, 180, 300, 240]);
    expect(rows.map(({ posts }) => posts)).toEqual([2, null, 0, 1, 0]);
    expect(rows.map((row) => row["sources_down"])).toEqual([[], ["bluesky"], ["bluesky"], [], []]);
    expect(rows[1]).toMatchObject({
      is_whole: false,
      authors: null,
      engagement: null,
      acceleration: null,
      buy_yes: null,
    });
    expect(rows[2]).toMatchObject({ acceleration: null });
    // The request differs from the one before, because answers are cached for a second.
    const [all] = await ask({ source: "bluesky,hackernews,gdelt,x" });
    expect(all?.["sources_down"]).toEqual(["hackernews", "gdelt", "x"]);
  });

  test("names a source that is off in a bucket of less than a minute too, but not one that lags by less", async () => {
    held = { bluesky: [ever], hackernews: [{ from: START, to: START + 10 * MINUTE - 10_000 }], gdelt: [], x: [] };
    const end_time = iso(START + 10 * MINUTE + 30_000);
    const all = await ask({ end_time });
    expect(all.at(-1)).toMatchObject({ bucket_seconds: 30, sources_down: ["gdelt", "x"], is_whole: false });
    const [, , last] = await ask({ end_time, source: "x" });
    expect(last).toMatchObject({ posts: null, sources_down: ["x"], is_whole: false });
  });

  test("covers the last timestamp: all of a day, and a bucket that begins with it", async () => {
    held = { bluesky: [ever], hackernews: [ever], gdelt: [ever], x: [ever] };
    const day = await ask({ interval: "1h", start_time: "2025-06-01T23:00:00Z", end_time: "2025-06-01" });
    expect(day.map((row) => [row["bucket_seconds"], row["covered_seconds"]])).toEqual([[3600, 3600]]);
    const [, last] = await ask({ start_time: iso(START + 5 * MINUTE), end_time: iso(START + 10 * MINUTE) });
    expect(last).toMatchObject({ bucket_seconds: 0, covered_seconds: 0, posts: 0, acceleration: null, is_whole: true });
  });

  test("gives the same buckets by cursor and by offset, and ends at an earlier end_time", async () => {
    held = { bluesky: [ever] };
    const lang = "en";
    const whole = await ask({ lang });
    const walked: unknown[] = [];
    let cursor: string | null = null;
    do {
      const pagination = { limit: 2, ...(cursor === null ? {} : { cursor }) };
      const answer = await query.answer(1007, {
        params: {
          keywords: "volume",
          interval: "5m",
          start_time: iso(START),
          end_time: iso(START + 24 * MINUTE),
          lang,
        },
        pagination,
      });
      walked.push(...(JSON.parse(answer.body.toString("utf8")) as unknown[]));
      cursor = answer.nextCursor;
    } while (cursor !== null);
    expect(walked).toEqual(whole);
    expect(await ask({ lang }, { offset: 3, limit: 1 })).toEqual(whole.slice(3, 4));
    const earlier = await ask({ end_time: iso(START + 2 * MINUTE) });
    expect(earlier.map(({ posts, bucket_seconds: length }) => [posts, length])).toEqual([[2, 120]]);
  });
});
