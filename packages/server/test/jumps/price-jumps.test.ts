import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/definition/sql.ts";
import { coarsePriceChangesFromMinutes, priceChangesFromMinutes } from "../../src/derivations/price-changes.ts";
import { runWhole } from "../../src/ingest/rebuild.ts";
import { jumpsReport, jumpsText } from "../../src/main/report/jumps-report.ts";
import type { ReadRows } from "../../src/definition/day-derivation.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { hex, market, table } from "../fixtures/sample-rows.ts";
import type { Minute } from "./reference-changes.ts";
import { storeMinutes } from "./token-minutes.ts";

const START = Date.UTC(2026, 5, 1) / 1000;
const HOUR = 3600;
const NOW = Date.UTC(2026, 5, 2);
const token = (index: number): string => String(5000 + index);

/** Five-minute trades of a day until 23:00. */
const trades = (priceAt: (index: number) => number, sharesAt: (index: number) => number = () => 10): Minute[] =>
  Array.from({ length: 23 * 12 }, (_, index) => ({
    minute: START + index * 300,
    close: priceAt(index),
    shares: sharesAt(index),
  }));
const NOON = 12 * 12;
/** A cent up and down, and a step at noon. */
const stepOf =
  (size: number) =>
  (index: number): number =>
    0.4 + (index % 2) * 0.01 + (index >= NOON ? size : 0);

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;
beforeAll(async () => {
  store = await openTestStore();
  query = openTestQuery(store, () => NOW);
  const rows: Record<string, Minute[]> = {
    // Trades at 00:00, then not until 05:10 and 05:40: up by 50 %, then back by more than half.
    [token(0)]: [
      { minute: START, close: 0.2, shares: 7 },
      { minute: START + 5 * HOUR + 600, close: 0.25, shares: 1 },
      { minute: START + 5 * HOUR + 2400, close: 0.3, shares: 2.5 },
      { minute: START + 7 * HOUR, close: 0.24, shares: 1 },
    ],
    [token(1)]: trades(stepOf(0.15)),
    [token(2)]: trades(stepOf(0)),
    // The same step on next to no volume.
    [token(3)]: trades(stepOf(0.15), (index) => (index >= NOON ? 0.1 : 10)),
    // Pays 1 from 12:30 on.
    [token(4)]: trades(stepOf(0.58)),
    // A game starts at 12:00.
    [token(5)]: trades(stepOf(0.15)),
    // In steps of four cents from 12:00 to 12:25: none is a jump by itself.
    [token(6)]: trades((index) => stepOf(0)(index) + 0.04 * Math.max(0, Math.min(6, index - NOON + 1))),
    // Changes that are 10.00 and 1.00 percent once rounded, and 9.99 and 0.99.
    [token(7)]: [0.4, 0.439984, 0.444366, 0.488776, 0.493634].map((close, index) => {
      return { minute: START + index * HOUR, close, shares: 1 };
    }),
  };
  for (const [id, minutes] of Object.entries(rows)) await storeMinutes(store, id, minutes);
  const markets = [
    {
      ...market(1, { condition_id: hex(901), side_a_token_id: token(4) }),
      closed: true,
      resolution_status: "resolved",
      payout_a: "1",
      closed_date: START + 12.5 * HOUR,
    },
    { ...market(2, { condition_id: hex(902), side_a_token_id: token(5) }), event_start: START + 12 * HOUR },
  ];
  await store.insert(table("polymarket_markets"), markets);
  await store.insert(table("polymarket_tokens"), [
    { token_id: token(0), condition_id: hex(900), outcome_index: 0, outcome: "Yes", slug: "step" },
  ]);
  for (const derivation of [priceChangesFromMinutes, coarsePriceChangesFromMinutes]) {
    const range = { from: "2026-06-01 00:00:00", to: "2026-06-03 00:00:00", starts: undefined };
    await runWhole(derivation, store, { ...range, version: "1" });
  }
});
afterAll(() => store.close());

/** The hours of the first token's changes. */
const times = async (params: Record<string, string>) =>
  (await query.rows(596, { params: { token_id: token(0), min_change_pct: "1", ...params } })).map((row) =>
    String(row["jump_time"]).slice(11, 13),
  );

const robust = (more: Record<string, string> = {}) =>
  query.rows(596, { params: { method: "robust", resolution: "5m", max_p_value: "1e-6", ...more } });

describe("candle method", () => {
  test("compares with the last bucket that had a trade, and reports whether the change reverted", async () => {
    const rows = await query.rows(596, { params: { token_id: token(0), min_change_pct: "1" } });
    expect(rows).toMatchObject([
      {
        jump_time: "2026-06-01T05:00:00Z",
        price_before: "0.2000",
        price_after: "0.3000",
        change_pct: "50.00",
        direction: "up",
        volume: "3.50",
        trade_count: 2,
        reverted: true,
        q_value: null,
        posts_near: null,
      },
      {
        jump_time: "2026-06-01T07:00:00Z",
        price_before: "0.3000",
        price_after: "0.2400",
        change_pct: "-20.00",
        direction: "down",
        volume: "1.00",
        reverted: false,
      },
    ]);
  });

  test("returns changes of at least min_change_pct in either direction, largest first", async () => {
    const rows = await query.rows(596, { params: { token_id: token(0), min_change_pct: "20.01" } });
    expect(rows).toHaveLength(1);
    const all = await query.rows(596, { params: { resolution: "5m" } });
    const sizes = all.map((row) => Math.abs(Number(row["change_pct"])));
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(10);
  });

  test.each([
    ["10", ["10.00"]],
    ["1", ["10.00", "9.99", "1.00"]],
  ])("compares a min_change_pct of %s with the change as it is shown", async (min_change_pct, shown) => {
    const rows = await query.rows(596, { params: { token_id: token(7), min_change_pct } });
    expect(rows.map((row) => row["change_pct"])).toEqual(shown);
  });

  test.each(["", "ALL", "-1.0", "-5", "0.5"])(
    "returns changes of one percent and more with min_change_pct %o",
    async (off) => {
      const params = { token_id: token(1), resolution: "5m" };
      const found = await query.rows(596, { params: { ...params, min_change_pct: off, max_p_value: "-1.0" } });
      expect(found).toEqual(await query.rows(596, { params: { ...params, min_change_pct: "1" } }));
      expect(found.some((row) => Math.abs(Number(row["change_pct"])) < 10)).toBe(true);
    },
  );

  test("returns changes with a p-value of at most max_p_value, and none without a p-value", async () => {
    const params = { token_id: token(1), resolution: "5m", min_change_pct: "1" };
    const pagination = { limit: 1000 };
    const all = await query.rows(596, { params, pagination });
    const found = await query.rows(596, { params: { ...params, max_p_value: "1e-6" }, pagination });
    expect(found).toEqual(all.filter((row) => row["p_value"] !== null && Number(row["p_value"]) <= 1e-6));
    expect(found.length).toBeGreaterThan(0);
    expect(all.some((row) => row["p_value"] === null)).toBe(true);
  });

  test("returns statistics with twelve significant digits", async () => {
    const rows = await query.rows(596, {
      params: { resolution: "5m", min_change_pct: "1" },
      pagination: { limit: 1000 },
    });
    const statistics = rows.map((row) => row["statistic"]).filter((one) => one !== null);
    expect(statistics.length).toBeGreaterThan(100);
    expect(statistics.filter((one) => Number(Number(one).toPrecision(12)) !== one)).toEqual([]);
  });

  test("leaves reverted null while a change is too recent to tell", async () => {
    const early = openTestQuery(store, () => (START + 8 * HOUR) * 1000);
    const [row] = await early.rows(596, {
      params: {
        token_id: token(0),
        min_change_pct: "20",
        end_time: "2026-06-01T07:59:00Z",
        start_time: "2026-06-01T06:00:00Z",
      },
    });
    expect(row).toMatchObject({ jump_time: "2026-06-01T07:00:00Z", reverted: null });
  });

  test("limits the range by lookback_hours before now or before end_time, and by start_time", async () => {
    expect(await times({ lookback_hours: "18" })).toEqual(["07"]);
    expect(await times({ end_time: "2026-06-01T06:00:00Z", lookback_hours: "2" })).toEqual(["05"]);
    expect(await times({ start_time: "2026-06-01T07:00:00Z" })).toEqual(["07"]);
    expect(await times({ start_time: "2010-01-01T00:00:00Z", end_time: "2099-12-31T00:00:00Z" })).toEqual(["05", "07"]);
  });

  test("finds a market by its condition", async () => {
    const rows = await query.rows(596, { params: { condition_id: hex(900), min_change_pct: "1" } });
    expect(new Set(rows.map((row) => row["token_id"]))).toEqual(new Set([token(0)]));
  });

  test.each([{ lookback_hours: "8761" }, { resolution: "2h" }, { method: "best" }, { max_p_value: "2" }])(
    "refuses %o",
    async (params) => {
      await expect(query.answer(596, { params })).rejects.toMatchObject({ code: "INVALID_PARAMS" });
    },
  );
});

describe("robust method", () => {
  test("finds a step and a drift, but nothing in noise, without volume, at a game's start or at a result", async () => {
    const rows = await robust();
    expect(rows.map((row) => row["token_id"]).sort()).toEqual([token(1), token(6)]);
  });

  test("reports a step with its time, prices and p-value", async () => {
    const [row] = await robust({ token_id: token(1) });
    expect(row).toMatchObject({ jump_time: "2026-06-01T12:00:00Z", direction: "up", trade_count: 1, reverted: false });
    expect(Number(row?.["price_after"]) - Number(row?.["price_before"])).toBeCloseTo(0.14, 6);
    expect(row?.["p_value"]).toBeLessThan(1e-8);
    expect(row?.["q_value"]).toBeGreaterThanOrEqual(Number(row?.["p_value"]));
    expect(row?.["volume_ratio"]).toBeCloseTo(1, 6);
  });

  test("reports a drift from its first bucket on", async () => {
    const [row] = await robust({ token_id: token(6) });
    expect(row).toMatchObject({ jump_time: "2026-06-01T12:00:00Z", direction: "up", trade_count: 6 });
  });

  test("sorts the least likely jump first, with rising q-values", async () => {
    const rows = await robust({ max_p_value: "1", min_change_pct: "1" });
    const ps = rows.map((row) => Number(row["p_value"]));
    const qs = rows.map((row) => Number(row["q_value"]));
    expect(ps).toEqual(ps.toSorted((a, b) => a - b));
    expect(qs).toEqual(qs.toSorted((a, b) => a - b));
  });

  test("computes q-values by Benjamini-Hochberg over every window of every token in the range", async () => {
    const [found] = await store.rows<{ tests: number }>(
      sql`SELECT greatest(1, sumIf(1 / window_buckets, window_buckets > 0)) AS tests FROM price_changes FINAL WHERE resolution = '5m'`,
    );
    const rows = await robust({ max_p_value: "1", min_change_pct: "1", start_time: "2026-06-01" });
    const [first, second] = rows.map((row) => ({ p: Number(row["p_value"]), q: Number(row["q_value"]) }));
    const tests = found?.tests ?? Number.NaN;
    expect((first?.q ?? 0) / Math.min((first?.p ?? 0) * tests, ((second?.p ?? 0) * tests) / 2)).toBeCloseTo(1, 6);
  });
});

const read: ReadRows = (statement) => store.rows(statement);

test("the jumps report counts the stored jumps and those that reverted", async () => {
  const report = await jumpsReport(read, { from: START, to: NOW / 1000 });
  const { lines } = report;
  const five = lines.find(({ resolution, p_value }) => resolution === "5m" && p_value === 1e-6);
  expect(five).toMatchObject({ robust: 2, robust_reverted: 0, candle_reverted: 0 });
  expect(five?.q_value).toBeLessThan(1e-5);
  expect(five?.buckets).toBeGreaterThan(100);
  const daily = lines.find(({ resolution, p_value }) => resolution === "1d" && p_value === 1e-3);
  expect(daily).toMatchObject({ robust: 0, robust_reverted: null, q_value: null, candle_reverted: null });
  expect(jumpsText(report)).toMatch(
    /^Jumps of at least 10 % from 2026-\d\d-\d\d to 2026-\d\d-\d\d\nRESOLUTION .*\n1m /,
  );
});

test("the jumps report of a period without prices names the time of the newest change", async () => {
  const report = await jumpsReport(read, { from: START - 20 * 86_400, to: START - 10 * 86_400 });
  expect(report.lines).toEqual([]);
  expect(jumpsText(report)).toMatch(
    /^No token was traded or quoted from \S+ to \S+; the newest change is of 2026-\S+Z\.$/,
  );
});
