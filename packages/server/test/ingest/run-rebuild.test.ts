import { afterAll, beforeAll, expect, test } from "vitest";
import type { Derivation } from "../../src/definition/derivation.ts";
import { bind, sql, type Sql } from "../../src/definition/sql.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { deriveSince } from "../../src/ingest/derive-since.ts";
import { runRebuild } from "../../src/ingest/rebuild.ts";
import { polymarketCandles } from "../../src/tables/polymarket-candles.ts";
import { minuteCounts } from "./fill-rows.ts";
import { openEngines } from "./open-engines.ts";

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(() => engines.close());

/** Writes one row per statement: the number of keys passed, and the first of them. */
const counting: Derivation = {
  ...minuteCounts,
  // Of 2,501 keys, every other one was touched a month before the others.
  touched: () =>
    sql`SELECT toString(number) AS key, toUInt32(${bind("UInt32", 30 * 86_400)} * (number % 2)) AS first, first AS last FROM numbers(2501) ORDER BY number`,
  slices: sql`SELECT arrayJoin(['1', '6']) AS first, toString(toUInt8(first) + 3) AS last ORDER BY first`,
  rebuild: ({ touched = [], slice, version }) =>
    row(slice?.first ?? touched[0]?.key ?? "0", slice ? Number(slice.last) : touched.length, version),
};
const row = (key: string, count: number, version: string): Sql =>
  sql`INSERT INTO ${polymarketCandles} (token_id, trade_count, version) VALUES (${bind("String", key)}, ${bind("UInt32", count)}, ${bind("UInt64", version)})`;
const written = async (): Promise<unknown[]> => {
  const rows = await engines.store.rows(
    sql`SELECT toUInt32(token_id) AS key, trade_count AS count FROM ${polymarketCandles} FINAL ORDER BY key`,
  );
  await engines.store.run(sql`TRUNCATE TABLE polymarket_candles_1m`);
  return rows;
};
const RANGE = { from: "2026-01-01 00:00:00", to: "2026-01-02 00:00:00", starts: [0], version: "1" };

test("passes at most a thousand touched keys to a statement, whenever they were touched", async () => {
  await runRebuild(counting, engines.store, RANGE);
  expect(await written()).toEqual([
    { key: 0, count: 1000 },
    { key: 1000, count: 1000 },
    { key: 2000, count: 501 },
  ]);
});

test("runs no statement if nothing was touched", async () => {
  const none = sql`SELECT '1' AS key, 1 AS first, 1 AS last FROM numbers(0)`;
  await runRebuild({ ...counting, touched: () => none }, engines.store, RANGE);
  expect(await written()).toEqual([]);
});

test("a first derivation runs slice by slice if the derivation defines slices", async () => {
  const options = { ...engines, clock: systemClock, remade: () => () => undefined };
  await deriveSince(counting, options, undefined, new AbortController().signal);
  expect(await written()).toEqual([
    { key: 1, count: 4 },
    { key: 6, count: 9 },
  ]);
});
