import { afterEach, expect, it } from "vitest";
import { kalshiMarketsStream } from "../../../src/connectors/kalshi/markets.ts";
import type { Cursor } from "../../../src/definition/connector.ts";
import { httpFeed } from "./http-feed.ts";
import { runPull } from "./run-pull.ts";
import { scriptedVenue } from "./scripted-venue.ts";

const BEGAN = Date.UTC(2026, 10, 20) / 1000;
const WALK_SECONDS = 300;
const DAY = 86_400;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const market = (ticker: string, timestamps: object) => ({
  ticker,
  event_ticker: "E",
  status: "active",
  result: "",
  yes_bid_dollars: "0.1000",
  yes_ask_dollars: "0.2000",
  last_price_dollars: "0.1000",
  volume_fp: "0.00",
  volume_24h_fp: "0.00",
  open_interest_fp: "0.00",
  ...timestamps,
});

let now = BEGAN;
let venue: Awaited<ReturnType<typeof scriptedVenue>>;
afterEach(() => venue.close());

/** A full walk takes minutes, and shows a very recent change at its end; other walks show 100 s after their bound. */
async function open(cutoff = 0) {
  venue = await scriptedVenue((path, query) => {
    if (path === "/historical/cutoff")
      return { body: { market_settled_ts: iso(cutoff), trades_created_ts: iso(cutoff) } };
    if (path.startsWith("/events")) return { body: { events: [], cursor: "" } };
    const from = [...query].find(([name]) => name.startsWith("min_"))?.[1];
    if (query.get("status") === "open") now += WALK_SECONDS;
    const at = iso(from === undefined ? now - 5 : Number(from) + 100);
    const shown = market(query.get("status") ?? "T", { created_time: at, updated_time: at, settlement_ts: at });
    return { body: { markets: [{ ...shown, close_time: at }], cursor: "" } };
  });
  return httpFeed(venue.url);
}

/** Runs one cycle; returns the lower bound of each of its walks. */
async function cycle(feed: ReturnType<typeof httpFeed>, cursor: Cursor | undefined) {
  venue.requested.length = 0;
  const { last } = await runPull(kalshiMarketsStream, feed, { cursor, now: () => now * 1000 });
  const queries = venue.requested.map((path) => new URL(path, "http://x").searchParams);
  const bounds = queries.flatMap((query) => [...query].filter(([name]) => name.startsWith("min_")));
  return {
    cursor: last?.cursor,
    gap: last?.gap,
    bounds: Object.fromEntries(bounds.map(([name, from]) => [name, Number(from)])),
  };
}

it("requests changes since the first cycle began, even if its walk over all open markets ends later", async () => {
  now = BEGAN;
  const feed = await open();
  const { cursor } = await cycle(feed, undefined);
  expect(now).toBe(BEGAN + WALK_SECONDS);
  const { bounds } = await cycle(feed, cursor);
  expect(Object.keys(bounds).toSorted()).toEqual([
    "min_close_ts",
    "min_created_ts",
    "min_settled_ts",
    "min_updated_ts",
  ]);
  for (const from of Object.values(bounds)) expect(from).toBeLessThan(BEGAN);
});

it("continues from the watermark of each walk over changes, whatever a later full walk shows", async () => {
  now = BEGAN;
  const feed = await open();
  const mark = BEGAN - 1000;
  const cursor = { created_ts: mark, updated_ts: mark, closed_ts: mark, settled_ts: mark, full_at: BEGAN - 900 };
  const second = await cycle(feed, cursor);
  expect(now).toBe(BEGAN + WALK_SECONDS);
  const third = await cycle(feed, second.cursor);
  // Each walk over changes shows a timestamp 100 s after its bound, and continues 90 s before that.
  const moved = (name: string) => (third.bounds[name] ?? 0) - (second.bounds[name] ?? 0);
  expect([moved("min_created_ts"), moved("min_updated_ts"), moved("min_settled_ts")]).toEqual([10, 10, 10]);
});

it("reports once what settled and left the live tier during a long stop", async () => {
  now = BEGAN;
  const feed = await open(BEGAN - 60 * DAY);
  const stopped = BEGAN - 70 * DAY;
  const marks = { created_ts: stopped, updated_ts: stopped, closed_ts: stopped, settled_ts: stopped };
  const { gap, cursor } = await cycle(feed, { ...marks, full_at: stopped });
  expect(Date.parse(gap?.from ?? "") / 1000).toBe(stopped - 90);
  expect(Date.parse(gap?.to ?? "") / 1000).toBe(BEGAN - 60 * DAY + 3600);
  expect((await cycle(feed, cursor)).gap).toBeUndefined();
  // A shorter stop is still covered by the live tier.
  const short = BEGAN - 30 * DAY;
  const lately = { created_ts: short, updated_ts: short, closed_ts: short, settled_ts: short, full_at: short };
  expect((await cycle(feed, lately)).gap).toBeUndefined();
});

it("requests the paused markets with every walk over the open ones", async () => {
  now = BEGAN;
  const feed = await open();
  const mark = BEGAN - 1000;
  const marks = { created_ts: mark, updated_ts: mark, closed_ts: mark, settled_ts: mark };
  const statuses = async (full_at: number) => {
    await cycle(feed, { ...marks, full_at });
    return venue.requested.map((path) => new URL(path, "http://x").searchParams.get("status"));
  };
  expect(await statuses(BEGAN - 900)).toEqual(expect.arrayContaining(["paused", "open"]));
  expect(await statuses(now - 60)).not.toContain("paused");
});
