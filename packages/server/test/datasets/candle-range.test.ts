import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kalshiCandlesDataset } from "../../src/datasets/kalshi-candles.ts";
import { polymarketCandlesDataset } from "../../src/datasets/polymarket-candles.ts";
import type { Bound } from "../../src/definition/sql.ts";
import { requestedOf } from "../../src/query/requested-of.ts";
import { parseParams } from "../../src/query/parse-params.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { table, tokenId } from "../fixtures/sample-rows.ts";

const MINUTE_MS = 60_000;
const FIRST = "2026-03-01T00:00:00Z";
const DAYS = 16;

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;
beforeAll(async () => {
  store = await openTestStore();
  const minutes = Array.from({ length: DAYS * 24 * 12 }, (_, at) => Date.parse(FIRST) + at * 5 * MINUTE_MS);
  await store.insert(
    table("polymarket_candles_1m"),
    minutes.map((ms) => ({
      token_id: tokenId(0),
      minute: ms / 1000,
      open: "0.4",
      high: "0.5",
      low: "0.3",
      close: "0.4",
      volume: "5",
      volume_usd: "2",
      price_sum: "0.4",
      trade_count: 1,
    })),
  );
  query = openTestQuery(store);
});
afterAll(() => store.close());

type Requested = Readonly<Record<string, string>>;
const volumes = async (requested: Requested, limit = 500) => {
  const rows = await query.rows(568, { params: { token_id: tokenId(0), ...requested }, pagination: { limit } });
  return rows.map((row) => [row["candle_time"], Number(row["volume"])]);
};

describe("candles of a range", () => {
  test("are complete at both ends", async () => {
    const hours = [
      ["2026-03-02T10:00:00Z", 60],
      ["2026-03-02T11:00:00Z", 60],
    ];
    for (const [start, end] of [
      ["2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z"],
      ["2026-03-02T10:31:00Z", "2026-03-02T11:02:07Z"],
      ["2026-03-02T10:59:59Z", "2026-03-02T11:59:59Z"],
    ])
      expect(await volumes({ interval: "1h", start_time: start ?? "", end_time: end ?? "" })).toEqual(hours);
    expect(await volumes({ interval: "1h", end_time: "2026-03-02T11:00:00Z" }, 2)).toEqual(hours.toReversed());
  });

  test("cover complete days and weeks of a time zone", async () => {
    const zone = { tz: "America/New_York" };
    expect(
      await volumes({ ...zone, interval: "1d", start_time: "2026-03-05T12:00:00Z", end_time: "2026-03-06T12:00:00Z" }),
    ).toEqual([
      ["2026-03-05T05:00:00Z", 24 * 60],
      ["2026-03-06T05:00:00Z", 24 * 60],
    ]);
    expect(
      await volumes({ ...zone, interval: "1w", start_time: "2026-03-04T00:00:00Z", end_time: "2026-03-04T00:00:00Z" }),
    ).toEqual([["2026-03-02T05:00:00Z", (7 * 24 - 1) * 60]]);
  });

  test("are the same complete candles when paged by cursor", async () => {
    const params = { token_id: tokenId(0), interval: "4h", end_time: "2026-03-03T13:00:00Z" };
    const first = await query.answer(568, { params, pagination: { limit: 2 } });
    const second = await query.answer(568, { params, pagination: { limit: 2, cursor: first.nextCursor ?? "" } });
    const rows = [first, second].flatMap((page) => JSON.parse(page.body.toString("utf8")) as Record<string, unknown>[]);
    expect(rows.map((row) => [row["candle_time"], Number(row["volume"])])).toEqual([
      ["2026-03-03T12:00:00Z", 240],
      ["2026-03-03T08:00:00Z", 240],
      ["2026-03-03T04:00:00Z", 240],
      ["2026-03-03T00:00:00Z", 240],
    ]);
  });
});

const requested = (params: Requested) => {
  const given: Readonly<Record<string, Bound>> = parseParams(
    polymarketCandlesDataset,
    { token_id: tokenId(0), ...params },
    "reject",
  ).given;
  return requestedOf(polymarketCandlesDataset, given, Date.parse("2026-04-01T00:00:00Z"));
};

describe("coverage of candles", () => {
  test("extends to the complete candles", () => {
    expect(
      requested({ interval: "1h", start_time: "2026-03-02T10:31:00Z", end_time: "2026-03-02T11:00:00Z" }),
    ).toMatchObject({ from: "2026-03-02T10:00:00.000Z", to: "2026-03-02T11:59:59.999Z" });
    expect(
      requested({
        interval: "1d",
        tz: "America/New_York",
        start_time: "2026-03-08T12:00:00Z",
        end_time: "2026-03-08T12:00:00Z",
      }),
    ).toMatchObject({ from: "2026-03-08T05:00:00.000Z", to: "2026-03-09T03:59:59.999Z" });
    expect(
      requested({ interval: "1w", start_time: "2026-03-05T12:00:00Z", end_time: "2026-03-05T12:00:00Z" }),
    ).toMatchObject({ from: "2026-03-02T00:00:00.000Z", to: "2026-03-08T23:59:59.999Z" });
    expect(requested({ interval: "1h" })).not.toHaveProperty("from");
  });

  test("of Kalshi extends to the periods that end in the range", () => {
    const range = { start_time: "2026-03-02T10:31:00Z", end_time: "2026-03-02T11:20:00Z" };
    const { given } = parseParams(kalshiCandlesDataset, { ticker: "KXMARS-1", interval: "1h", ...range }, "reject");
    expect(requestedOf(kalshiCandlesDataset, given, Date.parse("2026-04-01T00:00:00Z"))).toMatchObject({
      from: "2026-03-02T10:00:00.000Z",
      to: "2026-03-02T11:20:00.000Z",
    });
  });
});
