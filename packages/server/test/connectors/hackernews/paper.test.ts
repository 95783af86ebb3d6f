import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../../../exchange/src/world/create-world.ts";
import type { Post } from "../../../../exchange/src/world/social-contract.ts";
import type { World } from "../../../../exchange/src/world/world.ts";
import { gdeltArticlesStream } from "../../../src/connectors/gdelt/articles.ts";
import { hackernewsPostsStream } from "../../../src/connectors/hackernews/posts.ts";
import { hackernewsRecheckStream } from "../../../src/connectors/hackernews/recheck.ts";
import { cleanText } from "../../../src/connectors/social/to-post-row.ts";
import { xPostsStream } from "../../../src/connectors/x/posts.ts";
import type { Connector } from "../../../src/definition/connector.ts";
import { fromDefinition } from "../../../src/definition/sql.ts";
import { type Clock, systemClock } from "../../../src/ingest/clock.ts";
import { createCoverage } from "../../../src/ingest/coverage/coverage.ts";
import { type Ingest, startIngest } from "../../../src/ingest/schedule.ts";
import { openEngines } from "../../ingest/open-engines.ts";
import { type Endpoints, openEndpoints } from "./open-endpoints.ts";
import { quickClock } from "../../ingest/clocks.ts";

const FROM = Date.UTC(2026, 10, 18);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Waits a hundredth as long. */
const quick: Clock = quickClock(100);

let world: World;
let endpoints: Endpoints;
let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  const small = { events: 10, wallets: 100, activity: 0.1, kalshi_markets: 2 };
  world = createWorld({ seed: 21, clock: () => endpoints?.clock.now ?? FROM, from_ms: FROM, days: 3, ...small });
  world.advanceTo(FROM + 12 * HOUR);
  endpoints = await openEndpoints(world, FROM + 12 * HOUR);
  engines = await openEngines();
}, 300_000);
afterAll(async () => {
  await endpoints.close();
  await engines.close();
});

function start(connectors: readonly Connector[]): Ingest {
  return startIngest({
    connectors,
    derivations: [],
    ...engines,
    settings: endpoints.settings,
    metrics: new Registry(),
    clock: quick,
    venueNow: () => endpoints.clock.now,
    signal: new AbortController().signal,
  });
}

/** One cycle of streams at a timestamp of the world. */
async function cycleAt(timestamp: number, connectors: readonly Connector[]): Promise<void> {
  world.advanceTo(timestamp);
  endpoints.clock.now = timestamp;
  const ingest = start(connectors);
  const states = async () => (await ingest.status()).streams.map(({ state }) => state);
  try {
    await expect.poll(states, { timeout: 120_000 }).toEqual(connectors.map(() => "caught_up"));
  } finally {
    await ingest.stop();
  }
}

const read = (text: string): Promise<readonly Record<string, unknown>[]> => engines.store.rows(fromDefinition(text));
const storedPosts = () =>
  read(
    "SELECT id, toUnixTimestamp64Milli(ts) AS ms, author, body, parent, like_count AS likes, reply_count AS replies FROM social_posts FINAL WHERE source = 'hackernews' ORDER BY toUInt64(id)",
  );
const removed = async () =>
  (await read("SELECT DISTINCT id FROM social_removals WHERE source = 'hackernews' ORDER BY toUInt64(id)")).map(
    ({ id }) => String(id),
  );

const isStanding = ({ deleted_ms }: Post, at: number): boolean => deleted_ms === null || deleted_ms > at;
const truth = (from: number, to: number): Post[] =>
  world.posts.filter(
    ({ source, created_ms }) =>
      source === "hackernews" && Math.floor(created_ms / 1000) * 1000 >= from && created_ms < to,
  );
const identity = (post: Post) => ({
  id: post.rkey,
  ms: String(Math.floor(post.created_ms / 1000) * 1000),
  author: post.handle,
  body: unwrapped(cleanText(post.text, 10_000)),
  parent: post.parent?.rkey ?? "",
});
/** Without counts, and with whitespace collapsed: a blank line separates a title from its text. */
const plain = (rows: readonly Record<string, unknown>[]) =>
  rows.map(({ id, ms, author, body, parent }) => ({ id, ms, author, body: unwrapped(body), parent }));
const unwrapped = (body: unknown): string => String(body).replaceAll(/\s+/g, " ").trim();
const expected = (posts: readonly Post[]) => posts.map(identity).sort((a, b) => Number(a.id) - Number(b.id));

describe("Hacker News of the paper world", { timeout: 300_000 }, () => {
  it("stores exactly the posts of the last hour despite 429s, truncated answers and errors", async () => {
    const at = endpoints.clock.now;
    let calls = 0;
    endpoints.meddling.with = (_path, reply) => {
      calls += 1;
      if (calls <= 3) return reply.code(429).send({ message: "Too Many Requests" });
      if (calls === 4) return reply.code(503).send("busy");
      if (calls === 5) return reply.type("application/json").send('{"hits":[{"obj');
      return undefined;
    };
    await cycleAt(at, [hackernewsPostsStream]);
    endpoints.meddling.with = undefined;
    expect(calls).toBeGreaterThan(5);
    const there = truth(at - HOUR - 300_000, at + 1).filter((post) => isStanding(post, at));
    expect(there.length).toBeGreaterThan(0);
    expect(plain(await storedPosts())).toEqual(expected(there));
    expect(await engines.db.selectFrom("parked").selectAll().execute()).toEqual([]);
  });

  it("backfills history, interrupted midway, with each post stored once", async () => {
    const at = endpoints.clock.now;
    const range = { from: new Date(FROM).toISOString(), to: new Date(at).toISOString() };
    const ingest = start([hackernewsPostsStream]);
    const cut = new AbortController();
    endpoints.requested.length = 0;
    endpoints.meddling.with = (path) => {
      if (endpoints.requested.length > 2 && path.includes("search_by_date")) cut.abort(new Error("killed"));
    };
    const first = await ingest.backfill("hackernews-posts", range, cut.signal);
    expect(first?.isFinished).toBe(false);
    endpoints.meddling.with = undefined;
    const second = await ingest.backfill("hackernews-posts", range, new AbortController().signal);
    await ingest.stop();
    expect(second?.isFinished).toBe(true);
    const there = truth(FROM - 300_000, at + 1).filter((post) => isStanding(post, at));
    expect(plain(await storedPosts())).toEqual(expected(there));
    const coverageOf = createCoverage({
      connectors: [hackernewsPostsStream],
      derivations: [],
      db: engines.db,
      clock: systemClock,
      venueNow: () => at,
    });
    const requested = { from: range.from, to: new Date(at - 60_000).toISOString() };
    const held = await coverageOf(["social_posts"], requested);
    // The process has stopped: up to its last position the data is complete, and missing data is reported.
    expect(held.gaps).toEqual([]);
    expect(held.reasons.filter((reason) => reason.includes("not stored"))).toEqual([]);
  });

  it("finds later counts and removals by rechecking, for as long as rechecks last", async () => {
    const from = endpoints.clock.now;
    const both = [hackernewsPostsStream, hackernewsRecheckStream];
    for (let at = from; at <= from + DAY + 3 * HOUR; at += 3 * HOUR) await cycleAt(at, both);
    const now = endpoints.clock.now;
    const looked = truth(from, now - DAY);
    const rows = new Map((await storedPosts()).map((row) => [String(row["id"]), row]));
    const gone = new Set(await removed());
    for (const post of looked) {
      // Removed before it could be read, or within the day and then known as removed.
      if (rows.has(post.rkey)) expect(gone.has(post.rkey), post.rkey).toBe(!isStanding(post, now));
      else expect(isStanding(post, now)).toBe(false);
    }
    expect(looked.length).toBeGreaterThan(20);
    for (const id of gone) expect(isStanding(world.posts.find(({ rkey }) => rkey === id) as Post, now)).toBe(false);
    const counted = looked.filter((post) => isStanding(post, now) && !gone.has(post.rkey));
    const replies = counted.map((post) => Number(rows.get(post.rkey)?.["replies"] ?? 0));
    expect(replies.some((count) => count > 0)).toBe(true);
    // While its next cycle is running, coverage must not call the stream "only begun".
    const { name } = hackernewsRecheckStream;
    await engines.db.updateTable("streams").set({ state: "running" }).where("name", "=", name).execute();
    const coverageOf = createCoverage({
      connectors: [hackernewsRecheckStream],
      derivations: [],
      db: engines.db,
      clock: systemClock,
      venueNow: () => now,
    });
    const requested = { from: new Date(from).toISOString() };
    expect(await coverageOf(["social_removals"], requested)).toMatchObject({ complete: true, reasons: [] });
  });
});

describe("sources that select what they collect", { timeout: 300_000 }, () => {
  it("are off without a key, and coverage reports that and what the other source holds", async () => {
    const ingest = start([gdeltArticlesStream, xPostsStream]);
    await expect.poll(async () => (await ingest.status()).streams[0]?.state).toBe("caught_up");
    const { streams } = await ingest.status();
    expect(streams[1]).toMatchObject({
      state: "off",
      note: "set X_DAILY_USD to turn it on; it would add posts of X about the largest open markets, at $0.005 for each post read",
    });
    const coverageOf = createCoverage({
      connectors: [gdeltArticlesStream, xPostsStream],
      derivations: [],
      db: engines.db,
      clock: systemClock,
    });
    const { complete, reasons } = await coverageOf(["social_posts"], {});
    expect(complete).toBe(false);
    expect(reasons).toEqual([
      "News articles found by GDELT: only articles that name what one of the largest open markets is about, as far as GDELT can be reached.",
      "Posts of X: not collected by this service.",
    ]);
    expect((await coverageOf(["social_posts"], { venue: "hackernews" })).reasons).toEqual([]);
    await ingest.stop();
  });
});
