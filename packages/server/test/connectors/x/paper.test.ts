import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { madePost, NOON, TOKEN } from "../../../../exchange/test/social/made-posts.ts";
import type { Post } from "../../../../exchange/src/world/social-contract.ts";
import { gdeltArticlesStream } from "../../../src/connectors/gdelt/articles.ts";
import { xPostsStream } from "../../../src/connectors/x/posts.ts";
import type { PullConnector } from "../../../src/definition/connector.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { titleConcepts } from "../../../src/derivations/social/title-concepts.ts";
import { fromDefinition } from "../../../src/definition/sql.ts";
import { type Clock, systemClock } from "../../../src/ingest/clock.ts";
import { findSocialTerms } from "../../../src/ingest/find-social-terms.ts";
import { createHeld } from "../../../src/ingest/coverage/held-spans.ts";
import { startIngest } from "../../../src/ingest/schedule.ts";
import { polymarketEvents } from "../../../src/tables/polymarket-events.ts";
import { polymarketMarkets } from "../../../src/tables/polymarket-markets.ts";
import { hex, market } from "../../fixtures/sample-rows.ts";
import { openEngines } from "../../ingest/open-engines.ts";
import { type Endpoints, openEndpoints } from "../hackernews/open-endpoints.ts";

const MINUTE = 60_000;
const STEP = 15 * MINUTE;
const FASTER = 100;
const sleep: Clock["sleep"] = (ms, signal) => systemClock.sleep(ms / FASTER, signal);
/** Is paused while the world is: billing depends on the time. */
const worldClock: Clock = { now: () => endpoints.clock.now, monotonicMs: () => endpoints.clock.now, sleep };
/** Waits a hundredth as long. */
const quickNow = (): number => NOON + (systemClock.now() - NOON) * FASTER;
const quickClock: Clock = { now: quickNow, monotonicMs: quickNow, sleep };
const namesIn = (title: string): readonly string[] => titleConcepts(title).names;

const text = (index: number): string => {
  const texts = ["The Stanley Cup is theirs", "Jane Doe & the odds < 5", "Nothing about anything", "RT @a Stanley Cup"];
  return `${texts[index % 4]}, number ${index}`;
};
const post = (source: "x" | "gdelt", index: number, ms: number): Post => {
  const lang = index % 9 === 8 ? { langs: [source === "x" ? "he" : "es"] } : {};
  return madePost(source, index, ms, { text: text(index), likes: index, reposts: 2, replies: 3, quotes: 1, ...lang });
};
const posts: Post[] = [
  ...Array.from({ length: 120 }, (_, index) => post("x", index, NOON - 50 * MINUTE + index * 24_000)),
  ...Array.from({ length: 90 }, (_, index) => post("gdelt", 1000 + index, NOON - 180 * MINUTE + index * MINUTE)),
].sort((a, b) => a.created_ms - b.created_ms);
const seen = ({ created_ms }: Post): number => Math.ceil(created_ms / STEP) * STEP;
const isAbout = ({ text: said }: Post): boolean => said.includes("Stanley Cup") || said.includes("Jane Doe");

const event = (slug: string, title: string, closed: boolean): InsertRow => ({
  event_id: slug,
  slug,
  title,
  closed,
  series_slug: "",
  start_date: null,
  end_date: null,
  created_date: null,
  active: true,
  archived: false,
  volume: "0",
  market_count: 1,
  neg_risk: false,
  neg_risk_market_id: "",
  tags: [],
});

let endpoints: Endpoints;
let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  endpoints = await openEndpoints(posts, NOON);
  engines = await openEngines();
  await engines.store.insert(polymarketMarkets, [
    market(1, { condition_id: hex(1), closed: false, event_slug: "cup", volume_24h: "900" }),
    market(2, { condition_id: hex(2), closed: false, event_slug: "doe", volume_24h: "500" }),
    market(3, { condition_id: hex(3), closed: true, event_slug: "old", volume_24h: "9999" }),
  ]);
  await engines.store.insert(polymarketEvents, [
    event("cup", "Will the Maple Leafs win the Stanley Cup?", false),
    event("doe", "Jane Doe out by December 31?", false),
    event("old", "Who won the Old Race?", true),
  ]);
}, 300_000);
afterAll(async () => {
  await endpoints.close();
  await engines.close();
});
beforeEach(() => {
  endpoints.requested.length = 0;
  endpoints.meddling.with = undefined;
});

async function cycle(
  connector: PullConnector,
  settings: Record<string, string> = {},
  clock = worldClock,
): Promise<Record<string, unknown>> {
  // Otherwise the state left by the previous cycle would be taken for this one's.
  await engines.db.updateTable("streams").set({ state: "starting" }).execute();
  const ingest = startIngest({
    connectors: [connector],
    derivations: [],
    ...engines,
    settings: { ...endpoints.settings, ...settings },
    metrics: new Registry(),
    clock,
    known: { namesIn },
    venueNow: () => endpoints.clock.now,
    signal: new AbortController().signal,
  });
  try {
    const state = async () => (await ingest.status()).streams[0]?.state;
    await expect.poll(state, { timeout: 120_000 }).toBe("caught_up");
    return (await ingest.status()).hosts;
  } finally {
    await ingest.stop();
  }
}

const read = (question: string): Promise<readonly Record<string, unknown>[]> =>
  engines.store.rows(fromDefinition(question));
const ids = async (source: string): Promise<readonly string[]> =>
  (await read(`SELECT id FROM social_posts FINAL WHERE source = '${source}' ORDER BY id`)).map(({ id }) => String(id));
/** The time ranges in which a source was collected, as reported by 1007. */
const heldOf = async (source: "x" | "gdelt") => {
  const connectors = [xPostsStream, gdeltArticlesStream];
  const held = createHeld({ connectors, makers: [], db: engines.db, clock: worldClock, venueNow: worldClock.now });
  return (await held("social_posts"))[source];
};
const spentMicro = async (): Promise<number> =>
  (await engines.db.selectFrom("spending").select("micro_usd").execute()).reduce((sum, row) => sum + row.micro_usd, 0);
const billedMicro = (): number =>
  endpoints.served.meter.usage().reduce((sum, { cost_usd }) => sum + Math.round(Number(cost_usd) * 1e6), 0);

describe("the search terms", () => {
  it("are names in the titles of the open events with the most trading", async () => {
    expect(await findSocialTerms(engines.store, namesIn)).toEqual(["Maple Leafs", "Stanley Cup", "Jane Doe"]);
  });
});

describe("X of the paper exchange", { timeout: 300_000 }, () => {
  it("sends no request while the hourly share of the cap is less than ten posts", async () => {
    await cycle(xPostsStream, { X_DAILY_USD: "0.05" });
    expect(endpoints.requested).toEqual([]);
    const notices = await engines.db.selectFrom("notices").select("text").where("stream", "=", "x-posts").execute();
    expect(notices[0]?.text).toMatch(/is spent: nothing was requested/);
  });

  it("reads as far as the budget allows, and continues there in later hours, to the last post", async () => {
    const wanted = posts.filter(
      (each) => each.source === "x" && isAbout(each) && each.langs[0] === "en" && !each.text.startsWith("RT @"),
    );
    expect(wanted.length).toBeGreaterThan(40);
    // 43 posts by noon, and three more each hour.
    const settings = { X_DAILY_USD: "0.40" };
    const hosts = await cycle(xPostsStream, settings);
    expect((await ids("x")).length).toBeLessThan(wanted.length);
    expect(hosts["x"]).toMatchObject({ spending: { day: "2026-09-10", capUsd: "0.400000" } });
    expect(endpoints.requested.every((path) => !path.includes("expansions"))).toBe(true);
    for (let hour = 1; hour < 72 && (await ids("x")).length < wanted.length; hour += 1) {
      endpoints.clock.now = NOON + hour * 60 * MINUTE;
      await cycle(xPostsStream, settings);
      for (const { cost_usd } of endpoints.served.meter.usage()) expect(Number(cost_usd)).toBeLessThanOrEqual(0.4);
    }
    expect(await ids("x")).toEqual(wanted.map(({ rkey }) => rkey).sort());
    expect(await spentMicro()).toBe(billedMicro());
    const [row] = await read(
      "SELECT author, username, body, lang, like_count AS likes, retweet_count AS reposts, quote_count AS quotes FROM social_posts FINAL WHERE source = 'x' AND body LIKE 'Jane%' ORDER BY ts LIMIT 1",
    );
    const first = wanted.find(({ text: said }) => said.startsWith("Jane"));
    expect(row).toMatchObject({ author: first?.did, username: first?.did, body: first?.text, lang: "en" });
    expect(row).toMatchObject({ likes: first?.likes, reposts: 2, quotes: 1 });
    endpoints.clock.now = NOON + 96 * 60 * MINUTE;
    await cycle(xPostsStream, settings);
    expect(await heldOf("x")).toEqual([{ from: NOON - MINUTE / 2, to: endpoints.clock.now - MINUTE / 2 }]);
  });

  it("keeps its token out of logs, notices, errors and raw payloads", async () => {
    const tables = ["streams", "notices", "parked", "live_status"] as const;
    for (const table of tables) {
      expect(JSON.stringify(await engines.db.selectFrom(table).selectAll().execute())).not.toContain(TOKEN);
    }
  });
});

describe("GDELT of the paper exchange", { timeout: 300_000 }, () => {
  it("stores each article about the terms once, also titles with broken escapes, and those of the next round", async () => {
    endpoints.clock.now = NOON;
    const wanted = posts.filter((each) => each.source === "gdelt" && isAbout(each) && each.langs[0] === "en");
    const known = (at: number) =>
      wanted
        .filter((each) => seen(each) <= at)
        .map(({ handle, rkey }) => `https://${handle}/${rkey}`)
        .sort();
    endpoints.clock.now = NOON - 120 * MINUTE;
    await cycle(gdeltArticlesStream, {}, quickClock);
    expect(await ids("gdelt")).toEqual(known(endpoints.clock.now));
    endpoints.clock.now = NOON;
    const hosts = await cycle(gdeltArticlesStream, {}, quickClock);
    expect(await ids("gdelt")).toEqual(known(NOON));
    expect(known(NOON).length).toBeGreaterThan(30);
    expect(hosts["gdelt"]).toMatchObject({ circuit: "closed" });
    expect(await heldOf("gdelt")).toEqual([{ from: NOON - 9 * 60 * MINUTE, to: NOON - 20 * MINUTE }]);
    const odd = await read(
      "SELECT count() AS count FROM social_posts WHERE source = 'gdelt' AND body LIKE '%\\\\\\\\|%'",
    );
    expect(Number(odd[0]?.["count"])).toBeGreaterThan(0);
  });
});
