import { afterAll, beforeAll, expect, test } from "vitest";
import { socialMentionsFromPosts } from "../../src/derivations/social-mentions.ts";
import { sql } from "../../src/definition/sql.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { rebuildAll } from "../../src/ingest/rebuild.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { remake } from "../../src/ingest/remake.ts";
import { polymarketEvents } from "../../src/tables/polymarket-events.ts";
import { polymarketMarkets } from "../../src/tables/polymarket-markets.ts";
import { socialMentions } from "../../src/tables/social-mentions.ts";
import { socialPosts } from "../../src/tables/social-posts.ts";
import { socialRemovals } from "../../src/tables/social-removals.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { market } from "../fixtures/sample-rows.ts";
import { postId, socialPost } from "../fixtures/social-rows.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const START = Date.parse("2026-04-01T12:00:00Z");
const iso = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();
const about = (index: number, question: string, change: InsertRow = {}): InsertRow =>
  market(index, { question, event_slug: `event-${index}`, closed: false, start_date: iso(-60), ...change });
const post = (index: number, minutes: number, body: string): InsertRow => socialPost(index, { ts: iso(minutes), body });

const memory = new Map<string, unknown>();
const options = () => ({ store, clock: systemClock, remade: () => () => undefined, memory });
const derive = (...minutes: number[]): Promise<void> =>
  remake(socialMentionsFromPosts, options(), { starts: minutes.map((one) => START / 1000 + one * 60), left: [] });
const mentions = (): Promise<Record<string, unknown>[]> =>
  store.rows(
    sql`SELECT post_id, event_slug, term, author, toString(ts) AS ts FROM ${socialMentions} FINAL WHERE NOT is_gone ORDER BY post_id, event_slug`,
  );
const written = async (): Promise<unknown> =>
  (await store.rows(sql`SELECT count() AS n FROM ${socialMentions}`))[0]?.["n"];

const GREENLAND = "Trump says he will acquire Greenland";

test("matches posts only to markets that were open at the time of the post", async () => {
  await store.insert(polymarketMarkets, [
    about(1, "Will Trump acquire Greenland before 2027?"),
    about(2, "Will Trump acquire Greenland before 2028?", { start_date: iso(1) }),
    about(3, "Will Trump acquire Greenland before May?", { closed: true, closed_date: iso(-23 * 60) }),
    about(4, "Will Trump acquire Greenland before April?", { closed: true, closed_date: iso(-25 * 60) }),
  ]);
  await store.insert(socialPosts, [post(0, 0, GREENLAND), post(1, 2, GREENLAND), post(2, 2, "Good morning")]);
  await derive(0, 2);
  expect((await mentions()).map((row) => [row["post_id"], row["event_slug"]])).toEqual([
    [postId(0), "event-1"],
    [postId(0), "event-3"],
    [postId(1), "event-1"],
    [postId(1), "event-2"],
    [postId(1), "event-3"],
  ]);
  expect((await mentions())[0]).toMatchObject({ term: "greenland", ts: "2026-04-01 12:00:00.000" });
});

test("a rerun writes nothing, and a rebuild from scratch gives the same rows", async () => {
  const [before, count] = [await mentions(), await written()];
  await derive(0, 2);
  expect(await written()).toEqual(count);
  await rebuildAll(
    socialMentionsFromPosts,
    { from: iso(-60), to: iso(60) },
    { ...options(), signal: new AbortController().signal },
  );
  expect([await mentions(), await written()]).toEqual([before, count]);
  await store.run(sql`TRUNCATE TABLE ${socialMentions}`);
  await store.run(sql`TRUNCATE TABLE social_mentions_by_post`);
  await rebuildAll(
    socialMentionsFromPosts,
    { from: iso(-60), to: iso(60) },
    { ...options(), signal: new AbortController().signal },
  );
  expect(await mentions()).toEqual(before);
});

test("an edited post is matched by its current text", async () => {
  await store.insert(socialPosts, [post(0, 0, "Never mind")]);
  await derive(0);
  expect((await mentions()).filter((row) => row["post_id"] === postId(0))).toEqual([]);
  await store.insert(socialPosts, [post(0, 0, GREENLAND)]);
  await derive(0);
  expect((await mentions()).filter((row) => row["post_id"] === postId(0))).toHaveLength(2);
});

test("matches a late post to the markets of its time, and skips posts removed alone or with their author", async () => {
  const gone = { author: "did:plc:gone" };
  await store.insert(socialPosts, [
    post(4, 0, GREENLAND),
    post(5, 0, GREENLAND),
    { ...post(50, 0, GREENLAND), ...gone },
    { ...post(51, 2, GREENLAND), ...gone },
  ]);
  await store.insert(socialRemovals, [
    { source: "bluesky", what: "record", id: postId(5), ts: iso(1), reason: "deleted" },
    { source: "bluesky", what: "author", id: gone.author, ts: iso(1), reason: "account" },
  ]);
  await derive(0, 2);
  const found = new Set((await mentions()).map((row) => row["post_id"]));
  expect([4, 5, 50, 51].map((index) => found.has(postId(index)))).toEqual([true, false, false, true]);
});

test("a new market is matched against the last hour of posts", async () => {
  const again = (): Promise<readonly number[]> | undefined =>
    socialMentionsFromPosts.again?.starts({ read: (statement) => store.rows(statement), memory });
  expect(await again()).toEqual([]);
  await store.insert(polymarketMarkets, [about(5, "Will Denmark sell Greenland to Trump?", { start_date: iso(1) })]);
  const starts = (await again()) ?? [];
  expect(starts).toEqual([START / 1000 + 60, START / 1000 + 120]);
  await store.insert(socialPosts, [post(6, 2, "Denmark will not sell Greenland")]);
  await derive(1, 2);
  expect((await mentions()).filter((row) => row["event_slug"] === "event-5")).toHaveLength(1);
  expect(await again()).toEqual([]);
});

test("matches campaign words to an election only while its scheduled end is near", async () => {
  const race = { slug: "event-6", title: "Port Ellis Mayoral Election", start_date: iso(-90), created_date: iso(-90) };
  const flags = { closed: false, active: true, archived: false, neg_risk: false };
  const rest = { series_slug: "", volume: "0", market_count: 2, neg_risk_market_id: "", tags: [] };
  await store.insert(polymarketEvents, [{ event_id: "6", end_date: iso(60 * 24 * 90), ...race, ...flags, ...rest }]);
  const near = { event_slug: "event-6", end_date: null };
  await store.insert(polymarketMarkets, [
    about(6, "Will Ada Brandt win the Port Ellis mayoral election?", near),
    about(7, "Will Boris Kempson win the Port Ellis mayoral election?", { ...near, end_date: iso(60 * 24 * 365) }),
  ]);
  await socialMentionsFromPosts.again?.starts({ read: (statement) => store.rows(statement), memory });
  await store.insert(socialPosts, [post(8, 3, "Brandt leads in the polls"), post(9, 3, "Kempson leads in the polls")]);
  await derive(3);
  expect((await mentions()).filter((row) => row["event_slug"] === "event-6")).toMatchObject([{ post_id: postId(8) }]);
});

test("a new market around midnight is also matched against posts of the hour before midnight", async () => {
  const [MARKET, BEFORE, AFTER] = [700, 715, 725];
  const again = async (): Promise<readonly number[]> =>
    (await socialMentionsFromPosts.again?.starts({ read: (statement) => store.rows(statement), memory })) ?? [];
  await store.insert(socialPosts, [post(10, BEFORE, GREENLAND), post(11, AFTER, "Good morning")]);
  await derive(BEFORE, AFTER);
  await store.insert(polymarketMarkets, [
    about(8, "Will Trump acquire Greenland before 2029?", { start_date: iso(MARKET) }),
  ]);
  const minutes = (await again()).map((start) => (start - START / 1000) / 60);
  expect([minutes[0], minutes.at(-1)]).toEqual([MARKET, AFTER]);
  await derive(...minutes);
  expect((await mentions()).filter((row) => row["event_slug"] === "event-8")).toMatchObject([{ post_id: postId(10) }]);
  expect(await again()).toEqual([]);
});

/** Counts the statements that read posts and mentions of certain minutes. */
function countReads() {
  const texts: string[] = [];
  const counting = {
    ...store,
    rows: (...requested: Parameters<typeof store.rows>) => {
      texts.push(JSON.stringify(requested));
      return store.rows(...requested);
    },
  } as typeof store;
  return { counting, reads: () => texts.filter((text) => text.includes("fromUnixTimestamp64Milli")) };
}

test("processes minutes far apart in few slices, and leaves the minutes between them unchanged", async () => {
  const minutes = Array.from({ length: 30 }, (_, index) => 1500 + index * 20);
  const between = 1510;
  await store.insert(
    socialPosts,
    [...minutes, between].map((minute, index) => post(100 + index, minute, GREENLAND)),
  );
  const { reads, counting } = countReads();
  const starts = minutes.map((one) => START / 1000 + one * 60);
  await remake(socialMentionsFromPosts, { ...options(), store: counting }, { starts, left: [] });
  const made = new Set((await mentions()).map((row) => row["post_id"]));
  for (const index of minutes.keys()) expect(made).toContain(postId(100 + index));
  expect(made).not.toContain(postId(100 + minutes.length));
  // For the first six hours and for the rest: posts per minute, the removals, the posts, the stored mentions.
  expect(reads()).toHaveLength(8);
  await derive(between);
  await derive(...minutes.slice(0, 2));
  expect((await mentions()).filter((row) => row["post_id"] === postId(100 + minutes.length))).not.toEqual([]);
});

test("reads at most ten thousand posts of busy minutes, or ten minutes, at a time", async () => {
  const [first, minutes] = [3000, 30];
  const posts = Array.from({ length: minutes }, (_, minute) =>
    Array.from({ length: minute < 15 ? 800 : 1 }, (__, index) =>
      post(10_000 + minute * 800 + index, first + minute, index === 0 ? GREENLAND : "Good morning"),
    ),
  );
  await store.insert(socialPosts, posts.flat());
  const { reads, counting } = countReads();
  const starts = posts.map((_, minute) => START / 1000 + (first + minute) * 60);
  await remake(socialMentionsFromPosts, { ...options(), store: counting }, { starts, left: [] });
  const made = new Set((await mentions()).map((row) => row["post_id"]));
  for (const minute of posts.keys()) expect(made).toContain(postId(10_000 + minute * 800));
  // One count of the posts; then, for twelve minutes of 800 and for the rest: removals, posts, stored mentions.
  expect(reads()).toHaveLength(7);
});
