import { expect, test } from "vitest";
import { z } from "zod";
import { definePull, type Feed, type Host, type PullConnector } from "../../src/definition/connector.ts";
import { planBackfill } from "../../src/ingest/plan/plan-backfill.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { noListening } from "../fixtures/no-listening.ts";

const HOUR_MS = 3_600_000;
const VENUE: Host = {
  name: "venue",
  setting: "VENUE_URL",
  limits: { all: { tokens: 100, perSeconds: 1 }, trades: { tokens: 10, perSeconds: 1 } },
  share: 0.5,
};
const never = new AbortController().signal;
const feed: Feed = {
  get: () => Promise.resolve(undefined),
  post: () => Promise.resolve(undefined),
  rpc: () => Promise.reject(new Error("not spoken here")),
  listen: noListening,
};

/** Sends one request to begin and two (at 3 tokens) for each hour of its range. */
function hourly(more: Partial<PullConnector> = {}) {
  return definePull({
    name: "hourly",
    title: "Hourly",
    venue: "kalshi",
    host: VENUE,
    tables: [polymarketFills],
    everySeconds: 1,
    canBackfill: true,
    pull: async function* (options) {
      const { from, to } = options.range ?? { from: "", to: "" };
      const ask = (cost: number) => options.feed.get({ path: "/x", route: "trades", cost }, z.unknown());
      await ask(1);
      for (let at = Date.parse(from); at < Date.parse(to); at += HOUR_MS) {
        await ask(3);
        await ask(3);
        const reached = new Date(at + HOUR_MS).toISOString();
        yield { rows: [{ table: polymarketFills, rows: [{}, {}, {}] }], cursor: { at }, reached };
      }
    },
    ...more,
  });
}

const plan = (connector: PullConnector, days: number, latency = 0) =>
  planBackfill({
    connector,
    range: { from: "2026-01-01T00:00:00.000Z", to: new Date(Date.UTC(2026, 0, 1 + days)).toISOString() },
    pull: { feed, also: {}, known: () => Promise.resolve([]), now: () => 0, signal: never },
    latencyOf: () => Promise.resolve(latency),
  });

test("separates one-time costs from costs that grow with time: the estimate for a year is within a percent", async () => {
  const found = await plan(hourly(), 365);
  const hours = 365 * 24;
  expect(found.is_lower_bound).toBe(false);
  expect(Math.abs(found.rows / (3 * hours) - 1)).toBeLessThan(0.01);
  const [route] = found.routes;
  expect(route?.route).toBe("trades");
  expect(Math.abs((route?.calls ?? 0) / (1 + 2 * hours) - 1)).toBeLessThan(0.01);
  // Half of 10 tokens a second, 6 tokens an hour of the range.
  expect(Math.abs(found.at_limits_seconds / ((6 * hours) / 5) - 1)).toBeLessThan(0.01);
  expect(found.seconds).toBe(found.at_limits_seconds);
});

test("counts response latency if it costs more time than the limits", async () => {
  const found = await plan(hourly(), 30, 10);
  expect(found.at_latency_seconds).toBeGreaterThan(10 * 2 * 30 * 24 * 0.98);
  expect(found.seconds).toBe(found.at_latency_seconds);
});

test("a range that is walked again costs twice as much, with the same number of rows", async () => {
  const [once, twice] = [await plan(hourly(), 30, 10), await plan(hourly({ walksAgain: true }), 30, 10)];
  expect(Math.abs((twice.routes[0]?.calls ?? 0) - 2 * (once.routes[0]?.calls ?? 0))).toBeLessThanOrEqual(1);
  expect(twice.at_limits_seconds).toBeCloseTo(2 * once.at_limits_seconds);
  expect(twice.rows).toBe(once.rows);
});

test("bounds the samples, and returns a lower bound if an interrupted walk does not report its position", async () => {
  let calls = 0;
  const byInstrument = hourly({
    pull: async function* ({ feed: given }) {
      for (let instrument = 0; instrument < 500; instrument += 1) {
        await given.get({ path: "/x", route: "trades" }, z.unknown());
        calls += 1;
        yield { rows: [], cursor: { instrument } };
      }
    },
  });
  const found = await plan(byInstrument, 3650);
  expect(found.is_lower_bound).toBe(true);
  expect(calls).toBe(3 * 60);
});

test("reports what is missing upstream", async () => {
  const pruned = hourly({
    pull: async function* () {
      yield { rows: [], cursor: {}, gap: { from: "", to: "", reason: "the node has no blocks before 7" } };
    },
  });
  expect((await plan(pruned, 1)).notes).toEqual(["the node has no blocks before 7"]);
});
