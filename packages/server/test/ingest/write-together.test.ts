import { expect, test } from "vitest";
import type { Batch, TableRows } from "../../src/definition/connector.ts";
import type { Clock } from "../../src/ingest/clock.ts";
import { createWriteTogether } from "../../src/ingest/backfill-walk.ts";
import { kalshiMarkets } from "../../src/tables/kalshi-markets.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { polymarketPrints } from "../../src/tables/polymarket-prints.ts";
import { quickClock } from "./clocks.ts";

/** Rows of a table, identified by their numbers. */
const rowsOf = (table: TableRows["table"], from: number, count: number): TableRows => ({
  table,
  rows: Array.from({ length: count }, (_, index) => ({ id: from + index })),
});
const batchOf = (place: number, ...rows: TableRows[]): Batch => ({ rows, cursor: { place } });

function open(fails: { count: number } = { count: 0 }) {
  let nowMs = 0;
  const clock: Clock = { ...quickClock(1), monotonicMs: () => nowMs };
  const calls: [string, number, number][] = [];
  const places: [unknown, number][] = [];
  const write = async ({ table, rows }: TableRows): Promise<number> => {
    if (fails.count > 0) {
      fails.count -= 1;
      throw new Error("the engine is away");
    }
    calls.push([table.name, Number(rows[0]?.["id"]), rows.length]);
    return rows.length;
  };
  const written = ({ cursor }: Batch, stored: number): void => void places.push([cursor["place"], stored]);
  const pass = (ms: number): void => void (nowMs += ms);
  return { ...createWriteTogether(write, written, clock), calls, places, pass };
}

test("writes small batches together and reports them one by one", async () => {
  const { add, end, calls, places } = open();
  await add(batchOf(1, rowsOf(polymarketFills, 0, 3), rowsOf(polymarketPrints, 100, 1)));
  await add(batchOf(2, rowsOf(polymarketFills, 3, 4)));
  await add(batchOf(3));
  expect([calls, places]).toEqual([[], []]);
  await end();
  expect(calls).toEqual([
    ["polymarket_fills", 0, 7],
    ["polymarket_prints", 100, 1],
  ]);
  expect(places).toEqual([
    [1, 8],
    [2, 0],
    [3, 0],
  ]);
  await end();
  expect(calls).toHaveLength(2);
});

test("writes immediately once there are many rows or the oldest has waited long", async () => {
  const { add, calls, places, pass } = open();
  await add(batchOf(1, rowsOf(polymarketFills, 0, 9_999)));
  expect(calls).toEqual([]);
  await add(batchOf(2, rowsOf(polymarketFills, 9_999, 1)));
  expect(calls).toEqual([["polymarket_fills", 0, 10_000]]);
  await add(batchOf(3, rowsOf(polymarketFills, 10_000, 1)));
  pass(5000);
  await add(batchOf(4));
  expect(calls).toHaveLength(2);
  expect(places.map(([place]) => place)).toEqual([1, 2, 3, 4]);
});

test("writes rows with versions, and complete sets of blocks, separately and in order", async () => {
  const { add, end, calls } = open();
  await add(batchOf(1, rowsOf(polymarketFills, 0, 1)));
  await add(batchOf(2, rowsOf(kalshiMarkets, 1, 1), rowsOf(polymarketFills, 1, 1)));
  await add(batchOf(3, rowsOf(kalshiMarkets, 2, 1)));
  const allOf = { from: 1, to: 2, since: "2026-11-20T00:00:00Z", until: "2026-11-20T00:00:04Z" };
  await add(batchOf(4, rowsOf(polymarketFills, 2, 1)));
  await add(batchOf(5, { ...rowsOf(polymarketFills, 3, 1), allOf }));
  await add(batchOf(6, { ...rowsOf(polymarketFills, 4, 1), mode: "if_absent" }));
  await end();
  expect(calls.map(([name, id]) => `${name} ${id}`)).toEqual([
    "polymarket_fills 0",
    "kalshi_markets 1",
    "polymarket_fills 1",
    "kalshi_markets 2",
    "polymarket_fills 2",
    "polymarket_fills 3",
    "polymarket_fills 4",
  ]);
});

test("writes rows whose write failed together with the next batch", async () => {
  const fails = { count: 1 };
  const { add, end, calls, places } = open(fails);
  await add(batchOf(1, rowsOf(polymarketFills, 0, 1)));
  await expect(end()).rejects.toThrow("the engine is away");
  expect(places).toEqual([]);
  await add(batchOf(2, rowsOf(polymarketFills, 1, 1)));
  await end();
  expect([calls, places]).toEqual([
    [["polymarket_fills", 0, 2]],
    [
      [1, 2],
      [2, 0],
    ],
  ]);
});
