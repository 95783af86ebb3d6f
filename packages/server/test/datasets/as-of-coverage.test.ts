import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectors, datasets, dayDerivations, derivations, folds, refreshes } from "../../src/catalogue.ts";
import { foldMakers } from "../../src/definition/fold.ts";
import type { Maker } from "../../src/definition/coverage.ts";
import { createCoverage } from "../../src/ingest/coverage/coverage.ts";
import { openQuery } from "../../src/query/open-query.ts";
import { insertWalletWorld } from "../fixtures/wallet-world.ts";
import { ANNA, CONDITIONS } from "../fixtures/wallet-names.ts";
import { openEngines } from "../ingest/open-engines.ts";
import { withoutWaits } from "../ingest/clocks.ts";

const NOW = Date.parse("2026-06-05T18:00:00Z");
const at = (text: string): Date => new Date(`${text}Z`);
const makers: readonly Maker[] = [
  ...refreshes,
  ...dayDerivations.map((one) => Object.assign({}, one, { everySeconds: 3600 })),
  ...folds.flatMap(foldMakers),
];

/** Each dataset that can be requested as of a day, and its parameter for that day. */
const AS_OF: readonly (readonly [number, string, Readonly<Record<string, string>>])[] = [
  [569, "end_time", { wallet: ANNA }],
  [579, "as_of", { leaderboard_period: "7d" }],
  [581, "as_of", { proxy_wallet: ANNA }],
  [584, "as_of", { wallet: ANNA }],
  [1001, "as_of", { proxy_wallet: ANNA }],
  [1003, "end_time", { proxy_wallet: ANNA, start_time: "2026-06-02" }],
  [1004, "as_of", { condition_id: CONDITIONS.GAME }],
  [1005, "as_of", { venue: "polymarket" }],
  [1005, "as_of", { proxy_wallet: ANNA }],
  [1006, "end_date", { wallet: ANNA }],
];

let engines: Awaited<ReturnType<typeof openEngines>>;

beforeAll(async () => {
  engines = await openEngines();
  await insertWalletWorld(engines.store);
});
afterAll(() => engines.close());

/** All streams and derivations are complete up to now. */
beforeEach(async () => {
  const { db } = engines;
  for (const table of ["streams", "gaps", "derivations"] as const) await db.deleteFrom(table).execute();
  const now = new Date(NOW);
  const stream = { since: null, reached: now, state: "caught_up", last_ok_at: now, updated_at: now };
  await db
    .insertInto("streams")
    .values(connectors.map(({ name }) => Object.assign({}, stream, { name })))
    .execute();
  const names = new Set([...derivations, ...makers].map(({ name }) => name));
  await db
    .insertInto("derivations")
    .values([...names].map((name) => ({ name, through: now })))
    .execute();
});

/** The coverage that the records now give for an answer; each call reads them again. */
async function coverageOf(agentId: number, params: Readonly<Record<string, string>>) {
  const clock = withoutWaits(() => NOW);
  const ask = openQuery({
    store: engines.store,
    catalogue: datasets,
    coverageOf: createCoverage({ connectors, derivations, makers, db: engines.db, clock }),
    secret: Buffer.from("test"),
    paramsUnknown: "reject",
    now: () => NOW,
  });
  const body = { agent_id: agentId, params, pagination: {}, formatter_config: { format_type: "raw" } };
  return (await ask(body, { mayRead: () => true, maxPage: 10_000, mode: "strict" }, undefined)).coverage;
}

const gap = (
  from: string,
  to: string,
  streams: readonly string[] = ["polymarket-trades-chain", "polymarket-trades", "kalshi-trades"],
) =>
  engines.db
    .insertInto("gaps")
    .values(
      streams
        .filter((stream) => connectors.some(({ name }) => name === stream))
        .map((stream) => ({ stream, from_at: at(from), to_at: at(to), reason: "a hole" })),
    )
    .execute();

describe.each(AS_OF)("coverage of %s requested as of a day (%s)", (agentId, by, params) => {
  test("depends on the data up to the end of that day, and on nothing after it", async () => {
    expect((await coverageOf(agentId, params)).reasons).toEqual([]);
    await gap("2026-06-04T10:00:00", "2026-06-04T11:00:00");
    expect((await coverageOf(agentId, params)).complete).toBe(false);
    expect((await coverageOf(agentId, { ...params, [by]: "2026-06-04" })).complete).toBe(false);
    expect(await coverageOf(agentId, { ...params, [by]: "2026-06-03" })).toMatchObject({ complete: true, gaps: [] });
  });

  test("depends on all earlier data, because current holdings may have been bought long ago", async () => {
    await gap("2026-03-01T10:00:00", "2026-03-01T11:00:00");
    expect((await coverageOf(agentId, { ...params, [by]: "2026-06-03" })).complete).toBe(false);
  });
});

test("coverage of a wallet's calibration depends on its wallet days, not on the prices of both venues' markets", async () => {
  await gap("2026-06-04T10:00:00", "2026-06-04T11:00:00", ["kalshi-trades"]);
  expect((await coverageOf(1005, {})).complete).toBe(false);
  expect((await coverageOf(1005, { proxy_wallet: ANNA })).reasons).toEqual([]);
  await engines.db.deleteFrom("derivations").where("name", "like", "wallet-days%").execute();
  expect((await coverageOf(1005, { proxy_wallet: ANNA })).complete).toBe(false);
});

test("coverage of price jumps depends on the lookback hours, 24 by default", async () => {
  await gap("2026-06-04T16:00:00", "2026-06-04T17:00:00");
  expect((await coverageOf(596, {})).reasons).toEqual([]);
  expect((await coverageOf(596, { lookback_hours: "26" })).complete).toBe(false);
  expect((await coverageOf(596, { end_time: "2026-06-05T16:30:00Z" })).complete).toBe(false);
  expect((await coverageOf(596, { start_time: "2026-06-05T00:00:00Z", lookback_hours: "26" })).complete).toBe(true);
});

test.each([
  [569, { wallet: ANNA }],
  [1003, { proxy_wallet: ANNA }],
])("coverage of %s depends on the full day of its end, which is a row", async (agentId, params) => {
  await gap("2026-06-04T20:00:00", "2026-06-04T21:00:00");
  expect((await coverageOf(agentId, { ...params, end_time: "2026-06-04T10:00:00Z" })).complete).toBe(false);
  expect((await coverageOf(agentId, { ...params, end_time: "2026-06-03T23:00:00Z" })).complete).toBe(true);
});

test("coverage of price jumps depends on the full bucket at its end", async () => {
  await gap("2026-06-04T20:00:00", "2026-06-04T21:00:00");
  const params = { start_time: "2026-06-03", end_time: "2026-06-04T10:00:00Z" };
  expect((await coverageOf(596, { ...params, resolution: "1d" })).complete).toBe(false);
  expect((await coverageOf(596, { ...params, resolution: "1h" })).complete).toBe(true);
});

test("coverage of social volume depends on the full bucket at its start", async () => {
  await gap("2026-06-05T10:05:00", "2026-06-05T10:25:00", ["bluesky-posts"]);
  const params = { keywords: "hockey", source: "bluesky" };
  for (const begin of [{ start_time: "2026-06-05T10:30:00Z" }, { hours_back: "2", end_time: "2026-06-05T12:30:00Z" }]) {
    expect((await coverageOf(1007, { ...params, ...begin, interval: "1h" })).complete).toBe(false);
    expect((await coverageOf(1007, { ...params, ...begin, interval: "5m" })).complete).toBe(true);
  }
});

test("the days before a stream stopped remain complete", async () => {
  await engines.db
    .updateTable("streams")
    .set({ reached: at("2026-06-04T12:00:00"), state: "stopped", last_ok_at: at("2026-06-04T12:00:00") })
    .execute();
  expect((await coverageOf(581, { proxy_wallet: ANNA })).complete).toBe(false);
  expect((await coverageOf(581, { proxy_wallet: ANNA, as_of: "2026-06-04" })).complete).toBe(false);
  expect((await coverageOf(581, { proxy_wallet: ANNA, as_of: "2026-06-03" })).complete).toBe(true);
});
