import pino from "pino";
import { Registry } from "prom-client";
import { afterEach, expect, it } from "vitest";
import { kalshiBookRestStream } from "../../../src/connectors/kalshi/book-rest.ts";
import type { Host } from "../../../src/definition/connector.ts";
import { createBudget } from "../../../src/ingest/budget.ts";
import { systemClock } from "../../../src/ingest/clock.ts";
import type { ParkedPage } from "../../../src/ingest/feed/accept.ts";
import { createFeed } from "../../../src/ingest/feed/feed.ts";
import { createIngestMetrics } from "../../../src/ingest/ingest-metrics.ts";
import { runPull } from "./run-pull.ts";
import { scriptedVenue, type Answer } from "./scripted-venue.ts";

const HOST: Host = { name: "venue", setting: "VENUE_URL", share: 1, limits: { all: { tokens: 9999, perSeconds: 1 } } };
const TICKERS = Array.from({ length: 250 }, (_, at) => `T-${at}`);

let venue: Awaited<ReturnType<typeof scriptedVenue>> | undefined;
afterEach(async () => {
  await venue?.close();
  venue = undefined;
});

/** One cycle against a venue that answers each call for books as given. */
async function poll(answer: (tickers: readonly string[]) => Answer) {
  venue = await scriptedVenue((_path, query) => answer(query.getAll("tickers")));
  const parked: ParkedPage[] = [];
  const feed = createFeed({
    host: HOST,
    baseUrl: venue.url,
    budget: createBudget(HOST, systemClock),
    stream: kalshiBookRestStream.name,
    priority: "live",
    log: pino({ level: "silent" }),
    park: (page) => {
      parked.push(page);
      return Promise.resolve();
    },
    clock: systemClock,
    signal: new AbortController().signal,
    metrics: createIngestMetrics(new Registry()),
  });
  const { rows, last } = await runPull(kalshiBookRestStream, feed, { tickers: TICKERS });
  return { stored: rows.map((row) => row["instrument"]), last, parked, calls: venue.requested.length };
}

const booksOf = (tickers: readonly string[]): Answer => ({
  body: { orderbooks: tickers.map((ticker) => ({ ticker, orderbook_fp: { yes_dollars: [["0.1000", "5.00"]] } })) },
});

it.each([400, 404])("stores all other books if the venue refuses one active market with %i", async (status) => {
  const { stored, last, parked, calls } = await poll((tickers) =>
    tickers.includes("T-137") ? { status, body: {} } : booksOf(tickers),
  );
  expect(new Set(stored)).toEqual(new Set(TICKERS.filter((ticker) => ticker !== "T-137")));
  expect(stored).toHaveLength(249);
  expect(last?.isCaughtUp).toBe(true);
  expect(parked).toEqual([]);
  expect(calls).toBeLessThanOrEqual(20);
});

it("does not split a call whose answer is unreadable", async () => {
  const { stored, parked, calls } = await poll((tickers) =>
    tickers.includes("T-137") ? { body: { orderbooks: "none" } } : booksOf(tickers),
  );
  expect(stored).toEqual([...TICKERS.slice(0, 100), ...TICKERS.slice(200)]);
  expect(parked.map(({ missing }) => missing?.instruments)).toEqual([TICKERS.slice(100, 200)]);
  expect(calls).toBe(3);
});
