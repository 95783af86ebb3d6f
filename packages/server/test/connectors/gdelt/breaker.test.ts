import pino from "pino";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { madePost, NOON } from "../../../../exchange/test/social/made-posts.ts";
import { HASTE } from "../../../../exchange/src/social/gdelt/gdelt-endpoint.ts";
import { gdeltHost } from "../../../src/connectors/gdelt/articles.ts";
import { articlesWire } from "../../../src/connectors/gdelt/search/article-posts.ts";
import { readArticles } from "../../../src/connectors/gdelt/search/read-articles.ts";
import { createBudget } from "../../../src/ingest/budget.ts";
import { type Clock, systemClock } from "../../../src/ingest/clock.ts";
import { createBreaker, type BreakerState } from "../../../src/ingest/feed/host-health.ts";
import { createFeed } from "../../../src/ingest/feed/feed.ts";
import type { ParkedPage } from "../../../src/ingest/feed/accept.ts";
import { UpstreamPaused } from "../../../src/ingest/feed/upstream-errors.ts";
import { createIngestMetrics } from "../../../src/ingest/ingest-metrics.ts";
import { type Endpoints, openEndpoints } from "../hackernews/open-endpoints.ts";
import { quickClock } from "../../ingest/clocks.ts";

/** Waits a thousandth as long, so that pauses of seconds pass quickly. */
const quick: Clock = quickClock(1000);
const PAUSE_SECONDS = 0.3;
const MINUTE = 60_000;

let endpoints: Endpoints;
beforeAll(async () => {
  const made = Array.from({ length: 600 }, (_, index) =>
    madePost("gdelt", index, NOON - 600 * MINUTE + index * MINUTE),
  );
  endpoints = await openEndpoints(made, NOON);
});
afterAll(async () => endpoints.close());
beforeEach(() => {
  endpoints.requested.length = 0;
  endpoints.meddling.with = undefined;
});

function openFeed() {
  const host = { ...gdeltHost, limits: { all: { tokens: 1000, perSeconds: 1 } } };
  const states: BreakerState[] = [];
  const parked: ParkedPage[] = [];
  const breaker = createBreaker(
    { ...host, breaker: { failures: 5, firstSeconds: PAUSE_SECONDS, maxSeconds: 60 } },
    (state) => states.push(state),
  );
  const feed = createFeed({
    host,
    baseUrl: endpoints.served.gdelt_url,
    budget: createBudget(host, quick),
    stream: "gdelt-articles",
    priority: "live",
    log: pino({ level: "silent" }),
    park: async (page) => void parked.push(page),
    clock: quick,
    signal: new AbortController().signal,
    metrics: createIngestMetrics(new Registry()),
    breaker,
  });
  return { feed, states, parked, state: () => breaker?.state() };
}

const WINDOW = { from: NOON - 600 * MINUTE, to: NOON };
const ASK = '"Will it rain" sourcelang:english';
const pause = (seconds: number) => systemClock.sleep(seconds * 1000);
/** An article as GDELT lists it: number 7 has too long a URL, and those from 250 on are an hour older. */
const listedArticle = (index: number) => ({
  url: `https://a.example/${index === 7 ? "x".repeat(2000) : index}`,
  title: "Rain",
  seendate: index < 250 ? "20260910T080000Z" : "20260910T070000Z",
  domain: "a.example",
  language: "English",
});

describe("GDELT behind its circuit breaker", () => {
  it("lists more articles than an answer holds by requesting the time before its oldest", async () => {
    const { feed, state } = openFeed();
    const { articles, notices } = await readArticles({ feed }, ASK, WINDOW);
    expect(articles.length).toBe(600);
    expect(new Set(articles.map(({ url }) => url)).size).toBe(600);
    expect(notices).toEqual([]);
    expect(state()).toBe("closed");
  });

  it("requests the time before a full answer that contains an invalid row", async () => {
    const { feed, parked } = openFeed();
    const pages = [Array.from({ length: 250 }, (_, index) => listedArticle(index)), [listedArticle(250)]];
    endpoints.meddling.with = (_path, reply) =>
      reply.type("application/json").send(JSON.stringify({ articles: pages.shift() ?? [] }));
    const { articles } = await readArticles({ feed }, ASK, WINDOW);
    expect(articles.map(({ url }) => url)).toContain("https://a.example/250");
    expect(articles).toHaveLength(250);
    expect(parked).toHaveLength(1);
  });

  it.each([
    ["a 429", 429],
    ["a sentence with status 200", 200],
  ])(
    "opens after five failures in a row (%s), sends no requests, probes with one call, and closes",
    async (_what, status) => {
      const { feed, states } = openFeed();
      const ask = () => readArticles({ feed }, ASK, { from: NOON - 30 * MINUTE, to: NOON });
      endpoints.meddling.with = (_path, reply) => reply.code(status).type("text/html").send(HASTE);
      await expect(ask()).rejects.toBeInstanceOf(UpstreamPaused);
      expect(endpoints.requested).toHaveLength(5);
      await expect(ask()).rejects.toThrow(/circuit breaker is open: .*limit requests/);
      expect(endpoints.requested).toHaveLength(5);
      await pause(PAUSE_SECONDS);
      // The probe fails too: one call, and the pause doubles.
      await expect(ask()).rejects.toBeInstanceOf(UpstreamPaused);
      expect(endpoints.requested).toHaveLength(6);
      endpoints.meddling.with = undefined;
      await pause(PAUSE_SECONDS);
      await expect(ask()).rejects.toBeInstanceOf(UpstreamPaused);
      await pause(PAUSE_SECONDS);
      expect((await ask()).articles.length).toBeGreaterThan(0);
      expect(states).toEqual(["open", "half_open", "open", "half_open", "closed"]);
    },
  );

  it("stays closed when GDELT refuses queries, and names the refused query", async () => {
    const { feed, state } = openFeed();
    for (let cycle = 0; cycle < 6; cycle += 1) {
      const { notices } = await readArticles({ feed }, '"abc"', WINDOW);
      expect(notices[0]?.text).toBe('GDELT refused "abc": The specified phrase is too short.');
    }
    expect(state()).toBe("closed");
  });

  it("parks an answer that cannot be repaired, records its time range as missing, and continues", async () => {
    const { feed, parked, state } = openFeed();
    const cut = '{"articles":[{"url":"https://a.example/1","title":"cut';
    endpoints.meddling.with = (_path, reply) => reply.type("application/json").send(cut);
    expect(await readArticles({ feed }, ASK, WINDOW)).toEqual({ articles: [], notices: [] });
    expect(parked).toMatchObject([{ body: cut, missing: WINDOW }]);
    expect(state()).toBe("closed");
    expect(articlesWire.safeParse(cut).success).toBe(false);
  });
});
